// The command line from the sources instead of the bundle; run by tsx.
import { main } from '../../server/src/main.ts'

await main(process.argv.slice(2))
