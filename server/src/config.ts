import { isIP } from 'node:net'
import { z } from 'zod'
import { StartupError } from './platform/errors.ts'

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const notAPort = 'must be a number from 0 to 65535'
const http = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
const port = z
  .string()
  .regex(/^\d{1,5}$/, notAPort)
  .transform(Number)
  .refine((number) => number <= 65_535, notAPort)
const onOff = z.enum(['on', 'off']).transform((word) => word === 'on')

const proxies = list.refine(
  (items) =>
    items.every(
      (item) => /^(loopback|linklocal|uniquelocal)$/.test(item) || isIP(item.replace(/\/\d{1,3}$/, '')) !== 0,
    ),
  'must be networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
)

const origins = list.refine(
  (items) =>
    items.every((item) => item === '*' || (!item.includes('*') && URL.canParse(item) && new URL(item).origin === item)),
  'must be origins such as https://console.example.com, without a path, or *',
)

const OidcProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'an id has small letters, digits and dashes'),
  label: z.string().min(1).max(60),
  issuer: http,
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  scope: z
    .string()
    .regex(/\bopenid\b/, 'a scope holds openid')
    .default('openid email profile'),
})
export type OidcProvider = z.output<typeof OidcProvider>

const oidcProviders = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('must be a JSON list')
      return z.NEVER
    }
  })
  .pipe(
    z
      .array(OidcProvider)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two providers have one id'),
  )

interface Setting {
  schema: z.ZodType
  default?: string
  /** One line for the README and --help. */
  meaning: string
  /** Never printed. */
  secret?: boolean
}

/** Every setting there is. The README's table is tested against this list. */
export const settings = {
  PORT: { schema: port, default: '3000', meaning: 'port the server listens on' },
  HOST: { schema: z.string().min(1), default: '127.0.0.1', meaning: 'address the server listens on' },
  QUARTERDECK_DATA_DIR: {
    schema: z.string().min(1),
    default: './.quarterdeck',
    meaning: 'embedded database, key file, artifacts',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    meaning: 'your own PostgreSQL (14 or later) instead of the embedded one',
    secret: true,
  },
  QUARTERDECK_ADMIN_EMAIL: {
    schema: z.email(),
    default: 'admin@quarterdeck.local',
    meaning: 'first administrator, made at the first start',
  },
  QUARTERDECK_ADMIN_PASSWORD: {
    schema: z.string().min(8, 'must have 8 characters or more').optional(),
    meaning: 'its password; generated and printed once when not set',
    secret: true,
  },
  QUARTERDECK_AUTH: {
    schema: z.enum(['builtin', 'kratos', 'clerk', 'plain', 'none']),
    default: 'builtin',
    meaning: 'who signs people in: builtin, kratos, clerk, plain, none',
  },
  QUARTERDECK_REGISTRATION: {
    schema: onOff,
    default: 'off',
    meaning: 'on lets anybody make an account (a viewer) with an address they prove; needs SMTP_URL',
  },
  QUARTERDECK_OIDC_PROVIDERS: {
    schema: oidcProviders,
    default: '[]',
    meaning:
      'sign-in at OpenID Connect providers: JSON list of {"id", "label", "issuer", "client_id", "client_secret", "scope"}',
    secret: true,
  },
  QUARTERDECK_OIDC_UNKNOWN: {
    schema: z.enum(['refuse', 'viewer']),
    default: 'refuse',
    meaning: 'who signs in at a provider and was not invited: refuse, or let in as a viewer',
  },
  KRATOS_URL: { schema: http.optional(), meaning: 'public address of Ory Kratos, for QUARTERDECK_AUTH=kratos' },
  CLERK_PUBLISHABLE_KEY: { schema: z.string().optional(), meaning: 'for QUARTERDECK_AUTH=clerk' },
  CLERK_SECRET_KEY: { schema: z.string().optional(), meaning: 'for QUARTERDECK_AUTH=clerk', secret: true },
  CLERK_ORG_ID: {
    schema: z.string().optional(),
    meaning: 'organisation whose people may come in, for QUARTERDECK_AUTH=clerk',
  },
  CLERK_AUTHORIZED_PARTIES: {
    schema: list,
    default: '',
    meaning: 'comma list of consoles (https://host) whose tokens are taken; default: any of the same Clerk application',
  },
  CLERK_JWKS_URL: { schema: http.optional(), meaning: 'keys of Clerk; default: those of CLERK_PUBLISHABLE_KEY' },
  CLERK_API_URL: {
    schema: http,
    default: 'https://api.clerk.com',
    meaning: 'API of Clerk, asked for names and addresses',
  },
  QUARTERDECK_DEPLOYMENT: {
    schema: z.enum(['full', 'health']),
    default: 'full',
    meaning: 'full, or health: only the health-check part',
  },
  BACKEND_URL: {
    schema: http.optional(),
    meaning: 'console-only mode: serve the console and forward /api to this server',
  },
  QUARTERDECK_API_PORT: {
    schema: port.optional(),
    meaning: 'second listener: the API without the /api prefix',
  },
  QUARTERDECK_RESOURCES_DIR: {
    schema: z.string().min(1),
    default: 'resources',
    meaning: 'watched folder of documents',
  },
  QUARTERDECK_ENCRYPTION_KEY_FILE: {
    schema: z.string().optional(),
    meaning: 'key for secrets at rest; default: encryption.key in the data folder',
  },
  QUARTERDECK_PUBLIC_URL: {
    schema: http.optional(),
    meaning:
      'address people reach this server at, for links in mails and behind a proxy; default: what the request says',
  },
  QUARTERDECK_PASSWORD_FILE: {
    schema: z.string().optional(),
    meaning: 'htpasswd file (bcrypt or argon2id) for QUARTERDECK_AUTH=plain',
  },
  QUARTERDECK_PROPERTIES_FILE: {
    schema: z.string().optional(),
    meaning: 'file of name=value lines; these properties win over the database and cannot be edited',
  },
  SMTP_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
      .optional(),
    meaning: 'outgoing mail',
    secret: true,
  },
  MAIL_FROM: { schema: z.string().optional(), meaning: 'sender of outgoing mail' },
  QUARTERDECK_NETWORK_ALLOW: {
    schema: list,
    default: '',
    meaning: 'comma list of networks that outgoing requests may reach although denied',
  },
  QUARTERDECK_NETWORK_DENY: {
    schema: list,
    default: '169.254.0.0/16,fe80::/10,fd00:ec2::254/128',
    meaning: 'comma list of networks that outgoing requests may not reach',
  },
  QUARTERDECK_CHARTS_URL: {
    schema: http,
    default: 'https://raw.githubusercontent.com/flanksource/mission-control-registry/main',
    meaning:
      'registry of the charts that Add Integration offers: charts/{name}/Chart.yaml and values.schema.json below it',
  },
  QUARTERDECK_UI_SNIPPETS: {
    schema: onOff,
    default: 'off',
    meaning: 'on lets the local property flanksource.ui.snippets run script in the console, for everybody signed in',
  },
  QUARTERDECK_EXEC: { schema: onOff, default: 'on', meaning: 'off forbids exec checks and actions' },
  QUARTERDECK_SECRET_FILES: {
    schema: list,
    default: '/run/secrets',
    meaning: 'comma list of folders that file:// references, and secret:// ones without a cluster, may read',
  },
  QUARTERDECK_SECRET_ENV: {
    schema: list,
    default: 'QUARTERDECK_SECRET_*',
    meaning: 'comma list of environment variables that env:// references may read; * at the end stands for any rest',
  },
  QUARTERDECK_ALLOWED_ORIGINS: {
    schema: origins,
    default: '',
    meaning:
      'comma list of other origins (https://host) whose consoles may use this server; * lets any page in that brings a token',
  },
  QUARTERDECK_TRUSTED_PROXIES: {
    schema: proxies,
    default: 'loopback',
    meaning:
      'comma list of proxies in front of us whose X-Forwarded headers hold: networks, or loopback, linklocal, uniquelocal',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    meaning: 'how much the log says',
  },
} satisfies Record<string, Setting>

type Settings = typeof settings
export type Config = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> }

/** Reads and checks the environment; the first wrong setting stops the start with one clear line. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const entries = Object.entries(settings).map(([name, setting]: [string, Setting]) => {
    const given = environment[name]
    const text = given === undefined || given === '' ? setting.default : given
    const parsed = setting.schema.safeParse(text)
    if (!parsed.success) {
      const shown = setting.secret ? 'the value given' : `"${text}"`
      const reason = parsed.error.issues[0]?.message ?? 'not valid'
      throw new StartupError(`Setting ${name} is wrong: ${shown}: ${reason}. It means: ${setting.meaning}.`)
    }
    return [name, parsed.data]
  })
  return Object.fromEntries(entries) as Config
}

/** An environment variable that QUARTERDECK_SECRET_ENV allows references to read. */
export function secretFromEnvironment(config: Config, name: string): string | undefined {
  const allowed = config.QUARTERDECK_SECRET_ENV.some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
  )
  return allowed ? process.env[name] : undefined
}

/** Names that look like ours and are none: a typing mistake would otherwise go unnoticed. Those of scripts and tests are left out. */
export function unknownSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith('QUARTERDECK_') &&
      !/^QUARTERDECK_(DEV|E2E|TEST|BENCH)_/.test(name) &&
      !Object.hasOwn(settings, name),
  )
}
