import type { Live } from './live.ts'

/** A live stream that hears nothing, for commands that only run once and for tests. */
export const idleLive: Live = {
  listener: {
    on: () => () => undefined,
    onReconnect: () => () => undefined,
    connected: false,
    close: async () => undefined,
  },
  subscribe: () => () => undefined,
  changesAfter: async () => [],
  position: async () => '0',
  close: async () => undefined,
}
