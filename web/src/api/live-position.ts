import { livePositionHeader } from '@quarterdeck/contract/live-position'

let position = ''

const numberOf = (text: string) => Number.parseInt(text, 10)

/** Where the stream of changes has to begin, so that it tells everything that the answers so far may lack. */
export const livePosition = () => position

/** Answers the console starts with say where they stand; the earliest of them counts. */
export function learnPosition(headers: Headers): void {
  const found = headers.get(livePositionHeader)
  if (!found || Number.isNaN(numberOf(found))) return
  if (position === '' || numberOf(found) < numberOf(position)) position = found
}

/** The stream has told everything up to here. */
export function advancePosition(to: string): void {
  if (to !== '') position = to
}

/** For tests. */
export function forgetPosition(): void {
  position = ''
}
