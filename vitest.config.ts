import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const web = fileURLToPath(new URL('./web/src', import.meta.url))

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/*.servers.test.ts', '**/node_modules/**'],
        },
      },
      {
        resolve: { alias: { '@': web } },
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['web/src/testing/setup.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'db',
          include: ['server/src/**/*.db.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // Groups run one after the other: the quick ones first.
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Started by scripts/test-servers.mjs, which starts the servers first.
        test: {
          name: 'servers',
          include: ['server/src/**/*.servers.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'boot',
          include: ['e2e/boot/*.test.ts'],
          globalSetup: ['e2e/boot/build-first.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
