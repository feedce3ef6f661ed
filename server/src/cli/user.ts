import { type Role, roles as knownRoles } from '@quarterdeck/contract/permissions'
import type { Context } from '../context.ts'
import { commandLine } from '../modules/people/act.ts'
import { addPerson, listPeople, setPassword, setRoles, setState } from '../modules/people/people.service.ts'
import { generatePassword } from '../platform/auth/passwords.ts'
import { type Arguments, type Command, refuseWords, UsageError } from './command.ts'
import { print, printTable, readLine, tell } from './output.ts'
import { withContext } from './with-context.ts'

export const user: Command = {
  name: 'user',
  summary: 'Add, list and change the people who sign in.',
  usage: [
    'user add EMAIL [--name NAME] [--role ROLE]... [--password-stdin]',
    'user list',
    'user role EMAIL ROLE...',
    'user password EMAIL [--password-stdin]',
    'user disable EMAIL',
    'user enable EMAIL',
  ],
  about:
    `Roles: ${knownRoles.join(', ')}. Without --password-stdin a password is made and shown once.\n` +
    'Works while the product runs, and also while it does not.',
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      meaning: 'first and last name; default: the part of the address before the @',
    },
    role: {
      type: 'string',
      short: 'r',
      multiple: true,
      value: 'ROLE',
      meaning: 'may be given more than once; default: viewer',
    },
    'password-stdin': { type: 'boolean', meaning: 'take the password from the first line of standard input' },
  },
  examples: [
    'quarterdeck user add ada@example.org --name "Ada Example" --role editor',
    'echo "a long password" | quarterdeck user password ada@example.org --password-stdin',
    'quarterdeck user role ada@example.org admin',
    'quarterdeck user list',
  ],
  async run(given) {
    const [action, email, ...rest] = given.positionals
    if (action === 'list') {
      refuseWords('user list', given.positionals.slice(1))
      return withContext(list)
    }
    const act = action === undefined ? undefined : actions[action]
    if (!act)
      throw new UsageError(
        'Say what to do: user add, list, role, password, disable or enable. See quarterdeck user --help.',
      )
    if (!email?.includes('@')) throw new UsageError(`Say whom: quarterdeck user ${action} EMAIL.`)
    if (action !== 'role') refuseWords(`user ${action}`, rest)
    await act(email, given, rest)
  },
}

type Act = (email: string, given: Arguments, rest: string[]) => Promise<void>

const actions: Record<string, Act | undefined> = {
  async add(email, { values }) {
    const roles = rolesOf((values.role as string[] | undefined) ?? ['viewer'])
    const [firstName, ...others] = (typeof values.name === 'string' ? values.name : email.split('@')[0]!)
      .trim()
      .split(/\s+/)
    const { password, isMade } = await passwordOf(values)
    await withContext((ctx) =>
      addPerson(ctx, commandLine, { email, firstName: firstName!, lastName: others.join(' '), roles, password }),
    )
    tell(`Added ${email} as ${roles.join(', ')}.`)
    if (isMade) print(password)
  },
  async role(email, _, rest) {
    if (rest.length === 0)
      throw new UsageError(`Say which role: quarterdeck user role ${email} ROLE. Roles: ${knownRoles.join(', ')}.`)
    const roles = rolesOf(rest)
    await withContext((ctx) => setRoles(ctx, commandLine, email, roles))
    tell(`${email} is ${roles.join(', ')} now.`)
  },
  async password(email, { values }) {
    const { password, isMade } = await passwordOf(values)
    await withContext((ctx) => setPassword(ctx, commandLine, email, password))
    tell(`${email} has a new password; sessions with the old one ended.`)
    if (isMade) print(password)
  },
  async disable(email) {
    await withContext((ctx) => setState(ctx, commandLine, email, 'inactive'))
    tell(`${email} can no longer sign in.`)
  },
  async enable(email) {
    await withContext((ctx) => setState(ctx, commandLine, email, 'active'))
    tell(`${email} can sign in again.`)
  },
}

async function list(ctx: Context): Promise<void> {
  const people = await listPeople(ctx)
  const rows = people.map(({ email, name, roles, state }) => [email ?? '', name, roles.join(', '), state ?? ''])
  printTable(['EMAIL', 'NAME', 'ROLES', 'STATE'], rows, 'Nobody signs in here yet.')
}

async function passwordOf(values: Arguments['values']): Promise<{ password: string; isMade: boolean }> {
  if (!values['password-stdin']) return { password: generatePassword(), isMade: true }
  return { password: await readLine(), isMade: false }
}

function rolesOf(names: string[]): Role[] {
  const wrong = names.find((name) => !knownRoles.includes(name as Role))
  if (wrong !== undefined) throw new UsageError(`There is no role "${wrong}". Roles: ${knownRoles.join(', ')}.`)
  return names as Role[]
}
