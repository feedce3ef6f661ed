import { describe, expect, test } from 'vitest'
import { hasSqlServerDriver, sqlServer, sqlServerPassword } from '../../../testing/sql-server.ts'
import { tried } from './testing.ts'

const port = await sqlServer()
const form = (password: string, at = port) => ({
  url: `sqlserver://$(username):$(password)@127.0.0.1:${at}?database=x&encrypt=false`,
  username: 'sa',
  password,
})

describe.runIf(hasSqlServerDriver)('with the driver', () => {
  test('signs in and runs a batch; a wrong password; nobody there', async () => {
    expect(await tried('sql_server', form(sqlServerPassword))).toBe('ok')
    const words = await tried('sql_server', form('wrong-secret-2'))
    expect(words).toContain('Login failed')
    expect(words).not.toContain('wrong-secret-2')
    expect(await tried('sql_server', form('x', 1))).toMatch(/refused|Failed to connect|Could not connect/)
  })
})

test.runIf(!hasSqlServerDriver)('without the driver the words say what to do', async () => {
  expect(await tried('sql_server', form('x'))).toBe('the client "tedious" is not installed; run: npm install tedious')
})
