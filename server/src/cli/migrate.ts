import { openDatabase } from '../boot.ts'
import { readConfig } from '../config.ts'
import { migrate as migrateDatabase } from '../platform/db/migrate.ts'
import { createLog } from '../platform/log.ts'
import { installQueue } from '../platform/queue/queue.ts'
import { type Command, refuseWords } from './command.ts'
import { tell } from './output.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date without starting the product.',
  usage: ['migrate'],
  about:
    'A start does the same by itself. Run this first when several processes are about to start on one database, or when\n' +
    'the database user of the product may not change tables.',
  examples: ['quarterdeck migrate', 'DATABASE_URL=postgres://owner:secret@db/quarterdeck quarterdeck migrate'],
  async run({ positionals }) {
    refuseWords('migrate', positionals)
    const config = readConfig(process.env)
    const { db, close } = await openDatabase({ config, log: createLog('warn'), tell, join: true, max: 4 })
    try {
      let steps = 0
      await migrateDatabase(db, {
        onProgress({ name, done, total }) {
          steps++
          tell(`${name} (${done + 1} of ${total}) …`)
        },
      })
      await installQueue(db)
      tell(steps > 0 ? 'The database is up to date now.' : 'The database was up to date already.')
    } finally {
      await close()
    }
  },
}
