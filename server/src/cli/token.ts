import { commandLine } from '../modules/people/act.ts'
import { createToken, listTokens, revokeToken } from '../modules/people/tokens.service.ts'
import { type Arguments, type Command, refuseWords, UsageError } from './command.ts'
import { print, printTable, tell } from './output.ts'
import { withContext } from './with-context.ts'

export const token: Command = {
  name: 'token',
  summary: 'Make, list and revoke access tokens for scripts.',
  usage: [
    'token create --user EMAIL --name NAME [--expires DAYSd|never]',
    'token list [--user EMAIL]',
    'token revoke ID',
  ],
  about:
    'A token acts for a person and may do what that person may. It is shown once. Use it as a bearer token, or as the\n' +
    'password of the user "token" in basic authentication.',
  options: {
    user: { type: 'string', short: 'u', value: 'EMAIL', meaning: 'the person it acts for' },
    name: { type: 'string', short: 'n', value: 'NAME', meaning: 'what it is for' },
    expires: { type: 'string', value: 'TIME', meaning: 'when it ends: 12h, 90d (default) or never' },
  },
  examples: [
    'quarterdeck token create --user ada@example.org --name deploy --expires 30d',
    'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/api/auth/whoami',
    'quarterdeck token list',
    'quarterdeck token revoke 01900000-0000-7000-8000-000000000000',
  ],
  async run(given) {
    const [action, id, ...rest] = given.positionals
    switch (action) {
      case 'create':
        refuseWords('token create', given.positionals.slice(1))
        return create(given)
      case 'list':
        refuseWords('token list', given.positionals.slice(1))
        return list(given)
      case 'revoke':
        if (!id) throw new UsageError('Say which: quarterdeck token revoke ID. quarterdeck token list shows the ids.')
        refuseWords('token revoke', rest)
        await withContext((ctx) => revokeToken(ctx, commandLine, id))
        return tell('Revoked.')
      default:
        throw new UsageError('Say what to do: token create, list or revoke. See quarterdeck token --help.')
    }
  },
}

async function create({ values }: Arguments): Promise<void> {
  const { user, name } = values
  if (typeof user !== 'string' || typeof name !== 'string') {
    throw new UsageError('Say for whom and what for: quarterdeck token create --user EMAIL --name NAME.')
  }
  const expiresAt = endOf(String(values.expires ?? '90d'), new Date())
  const made = await withContext((ctx) => createToken(ctx, commandLine, { person: user, name, expiresAt }))
  tell(
    `Token ${made.id} for ${user}, ${expiresAt ? `until ${expiresAt.toISOString()}` : 'without an end'}. It is shown this once:`,
  )
  print(made.token)
}

async function list({ values }: Arguments): Promise<void> {
  const tokens = await withContext((ctx) => listTokens(ctx, typeof values.user === 'string' ? values.user : undefined))
  const rows = tokens.map((one) => [
    one.id,
    one.name,
    one.person_name,
    one.created_at.toISOString(),
    one.expires_at?.toISOString() ?? 'never',
  ])
  printTable(['ID', 'NAME', 'PERSON', 'CREATED', 'EXPIRES'], rows, 'There are no tokens.')
}

/** `12h` and `30d` from now; null for never. */
export function endOf(text: string, now: Date): Date | null {
  if (text === 'never') return null
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  if (!count || Number(count) === 0)
    throw new UsageError(`--expires is a time such as 12h or 30d, or never; not "${text}".`)
  return new Date(now.getTime() + Number(count) * (unit === 'h' ? 3_600_000 : 86_400_000))
}
