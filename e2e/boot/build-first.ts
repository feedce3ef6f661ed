import { execFileSync } from 'node:child_process'
import { root } from '../fixtures/product.ts'

/** Builds once, so that no test waits for it or sees its words. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
