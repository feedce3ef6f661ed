import { describe, expect, test } from 'vitest'
import { columnsOf, secretPlaces, valuesOf } from './form.ts'
import { connectionKind, connectionKinds, offeredKinds } from './index.ts'
import type { ConnectionColumns, Values } from './kind.ts'

const kindOf = (type: string) => connectionKind(type)!
const fieldsOf = (type: string) => kindOf(type).fields.map(({ label }) => label)
const required = (type: string) =>
  kindOf(type)
    .fields.filter((field) => field.required)
    .map(({ label }) => label)
const defaultOf = (type: string, key: string) => kindOf(type).fields.find((field) => field.key === key)?.default
const saved = (type: string, values: Values) => columnsOf(kindOf(type), { ...valuesOf(kindOf(type)), ...values })

const specified =
  `aws, s3, azure, azure_devops, discord, dynatrace, elasticsearch, email, google_cloud, generic_webhook, git,
  github, google_chat, http, ifttt, jmeter, kubernetes, ldap, matrix, mattermost, mongo, mysql, ntfy, opsgenie, postgres,
  prometheus, pushbullet, pushover, redis, restic, rocketchat, sftp, slack, slackwebhook, smb, sql_server, teams, telegram,
  webhook, windows, zulip_chat, folder`
    .split(',')
    .map((type) => type.trim())

describe('types', () => {
  test('[CONN-03] [CONN-04] all of them are offered but JMeter, and those only documents make', () => {
    expect(specified).toHaveLength(42)
    expect(offeredKinds.map(({ type }) => type).toSorted()).toEqual(
      specified.filter((type) => type !== 'jmeter').toSorted(),
    )
    expect(kindOf('jmeter').hidden).toBe(true)
    expect(connectionKinds.map(({ type }) => type)).toEqual(expect.arrayContaining([...specified, 'gcs', 'gitlab']))
  })
  test('every form can be drawn: keys are its own, choices have options, what is shown depends on a field', () => {
    for (const { fields } of connectionKinds) {
      const keys = fields.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const field of fields) {
        if (field.kind === 'choice') expect(field.options!.length).toBeGreaterThan(1)
        if (field.when) expect(keys).toContain(field.when.key)
        if (field.default !== undefined && field.kind === 'choice')
          expect(field.options!.map(({ value }) => value)).toContain(field.default)
      }
    }
  })
  test('every type has one home for its address: a field, or a template', () => {
    for (const { url, fields } of connectionKinds)
      expect(url !== undefined && fields.some(({ to }) => to === 'url')).toBe(false)
  })
})

describe('fields', () => {
  test.each(['postgres', 'mysql', 'sql_server', 'http', 'prometheus', 'elasticsearch', 'mongo', 'ldap'])(
    '[CONN-06] %s has the common ones',
    (type) => {
      expect(fieldsOf(type)).toEqual(
        expect.arrayContaining(['URL', 'Username', 'Password', 'Certificate', 'Insecure TLS']),
      )
      expect(
        saved(type, { url: 'u', username: 'n', password: 'p', certificate: 'c', insecure_tls: true }),
      ).toMatchObject({ url: 'u', username: 'n', password: 'p', certificate: 'c', insecure_tls: true })
    },
  )
  test('[CONN-07] the database of Redis is a property', () => {
    expect(saved('redis', { url: 'h:6379', db: 3 })).toMatchObject({ url: 'h:6379', properties: { db: '3' } })
  })
  test('[CONN-08] so is the domain of Windows', () => {
    expect(saved('windows', { url: 'h', username: 'u', password: 'p', domain: 'CORP' })).toMatchObject({
      url: 'h',
      username: 'u',
      properties: { domain: 'CORP' },
    })
  })
  test('[CONN-09] Google Cloud: endpoint and certificate', () => {
    expect(fieldsOf('google_cloud')).toEqual(['Endpoint', 'Certificate'])
  })
  test('[CONN-10] folder: path', () => {
    expect(saved('folder', { path: '/x' })).toMatchObject({ properties: { path: '/x' } })
    expect(required('folder')).toEqual(['Path'])
  })
  test('[CONN-11] [CONN-12] AWS, and S3 with a bucket more', () => {
    const aws = ['Region', 'Profile', 'Access key', 'Secret key', 'Insecure TLS']
    expect(fieldsOf('aws')).toEqual(expect.arrayContaining(aws))
    expect(fieldsOf('aws')).not.toContain('Bucket')
    expect(fieldsOf('s3')).toEqual(expect.arrayContaining([...aws, 'Bucket']))
    expect(
      saved('aws', { region: 'eu', profile: 'x', username: 'a', password: 's', insecure_tls: true }),
    ).toMatchObject({
      username: 'a',
      password: 's',
      insecure_tls: true,
      properties: { region: 'eu', profile: 'x', insecureTLS: 'true' },
    })
    expect(saved('s3', { bucket: 'b' }).properties).toMatchObject({ bucket: 'b' })
  })
  test('[CONN-13] SFTP: host and port 22', () => {
    expect(fieldsOf('sftp')).toEqual(expect.arrayContaining(['Host', 'Port']))
    expect(saved('sftp', { host: 'h' })).toMatchObject({ url: 'h', properties: { port: '22' } })
  })
  test('[CONN-14] SMB: server, port 445, share, username, password', () => {
    expect(fieldsOf('smb').slice(0, 5)).toEqual(['Server', 'Port', 'Share', 'Username', 'Password'])
    expect(saved('smb', { server: 'h', share: 's' })).toMatchObject({
      url: 'h',
      properties: { port: '445', share: 's', sharename: 's' },
    })
  })
  test('[CONN-15] the kubeconfig of Kubernetes may be left out', () => {
    expect(kindOf('kubernetes').fields.map(({ to, required: must }) => [to, must])).toEqual([
      ['certificate', undefined],
    ])
  })
  test('[CONN-16] Azure DevOps: organization and token', () => {
    expect(required('azure_devops')).toEqual(['Organization', 'Personal access token'])
    expect(saved('azure_devops', { username: 'o', password: 't' })).toMatchObject({ username: 'o', password: 't' })
  })
  test('[CONN-17] Azure: client id, secret, tenant', () => {
    expect(fieldsOf('azure')).toEqual(['Client ID', 'Client secret', 'Tenant ID'])
    expect(saved('azure', { username: 'c', password: 's', tenant: 't' })).toMatchObject({
      username: 'c',
      password: 's',
      properties: { tenant: 't' },
    })
  })
  test('[CONN-18] GitHub: token', () => expect(required('github')).toEqual(['Personal access token']))
  test('[CONN-19] Restic: password, repository, AWS connection, keys', () => {
    expect(fieldsOf('restic').toSorted()).toEqual(
      ['Password', 'Repository URL', 'AWS connection', 'Access key', 'Secret key'].toSorted(),
    )
    expect(saved('restic', { url: 'r', password: 'p', awsConnectionName: 'c', secretKey: 's' })).toMatchObject({
      url: 'r',
      properties: { awsConnectionName: 'c', secretKey: 's' },
    })
  })
  test('[CONN-20] Dynatrace: host, API key, scheme', () => {
    expect(fieldsOf('dynatrace')).toEqual(['Host', 'API key', 'Scheme'])
    expect(saved('dynatrace', { host: 'h', password: 'k' })).toMatchObject({
      url: 'h',
      properties: { scheme: 'https' },
    })
  })
  test('[CONN-21] Git: url, basic or SSH authentication, ref main', () => {
    const git = kindOf('git')
    expect(saved('git', { url: 'u' })).toMatchObject({ url: 'u', username: null, properties: { ref: 'main' } })
    expect(saved('git', { url: 'u', authentication: 'basic', username: 'n', password: 'p' })).toMatchObject({
      username: 'n',
      password: 'p',
      certificate: null,
    })
    const ssh = saved('git', { url: 'u', authentication: 'ssh', certificate: 'k', username: 'n' })
    expect(ssh).toMatchObject({ certificate: 'k', username: null })
    expect(valuesOf(git, ssh)).toMatchObject({ authentication: 'ssh' })
    expect(valuesOf(git, { ...ssh, certificate: null, username: 'n' })).toMatchObject({ authentication: 'basic' })
  })
  test('[CONN-23] e-mail and its defaults', () => {
    expect(fieldsOf('email').toSorted()).toEqual(
      [
        'Host',
        'Port',
        'Username',
        'Password',
        'From',
        'From name',
        'Encryption',
        'Authentication method',
        'Insecure TLS',
      ].toSorted(),
    )
    expect(defaultOf('email', 'port')).toBe(587)
    expect(defaultOf('email', 'encryptionMethod')).toBe('Auto')
    expect(defaultOf('email', 'authMethod')).toBe('Unknown')
    const options = (key: string) =>
      kindOf('email')
        .fields.find((field) => field.key === key)!
        .options!.map(({ value }) => value)
    expect(options('encryptionMethod')).toEqual(['None', 'ExplicitTLS', 'ImplicitTLS', 'Auto'])
    expect(options('authMethod')).toEqual(['None', 'Plain', 'CRAMMD5', 'Unknown', 'OAuth2'])
  })
  test('[CONN-24] [CONN-26] [CONN-27] defaults of ntfy, OpsGenie and Teams', () => {
    expect(fieldsOf('ntfy')).toEqual(expect.arrayContaining(['Host', 'Topic']))
    expect(defaultOf('ntfy', 'host')).toBe('ntfy.sh')
    expect(defaultOf('opsgenie', 'host')).toBe('api.opsgenie.com')
    expect(defaultOf('opsgenie', 'port')).toBe(443)
    expect(kindOf('teams').fields.map(({ key }) => key)).toEqual(['group', 'tenant', 'altID', 'groupOwner', 'host'])
    expect(defaultOf('teams', 'host')).toBe('outlook.office.com')
  })
  test('[CONN-25] Slack: channel, bot token, bot name', () => {
    expect(fieldsOf('slack').slice(0, 3)).toEqual(['Channel', 'Bot token', 'Bot name'])
  })
  test('[CONN-28] generic webhook and its defaults', () => {
    expect(defaultOf('generic_webhook', 'contentType')).toBe('application/json')
    expect(defaultOf('generic_webhook', 'key')).toBe('message')
    expect(defaultOf('generic_webhook', 'titleKey')).toBe('title')
    expect(kindOf('generic_webhook').fields.find(({ key }) => key === 'requestMethod')!.options).toMatchObject([
      { value: 'POST' },
      { value: 'GET' },
    ])
  })
})

describe('[CONN-22] the address of a notification channel comes from its fields', () => {
  test.each<[string, Values, string]>([
    ['discord', { username: '42', password: 'p' }, 'discord://$(password)@42'],
    [
      'email',
      { host: 'smtp.test', port: 25, username: 'u', password: 'p', from: 'a@b.c' },
      'smtp://$(username):$(password)@smtp.test:25/?UseStartTLS=false&Encryption=Auto&Auth=Unknown',
    ],
    [
      'google_chat',
      { webhook: 'AAA', username: 'k', password: 't' },
      'googlechat://chat.googleapis.com/v1/spaces/AAA/messages?key=$(username)&token=$(password)',
    ],
    ['ifttt', { username: 'key' }, 'ifttt://key'],
    [
      'mattermost',
      { username: 'bot', host: 'chat.test', password: 'p', channel: 'ops' },
      'mattermost://bot@chat.test/$(password)/ops',
    ],
    ['matrix', { username: 'bot', host: 'm.test', password: 'p' }, 'matrix://bot:$(password)@m.test/?DisableTLS=false'],
    ['ntfy', { username: 'u', password: 'p', topic: 'ops' }, 'ntfy://u:$(password)@ntfy.sh/ops?Scheme=https'],
    ['opsgenie', { password: 'p' }, 'opsgenie://api.opsgenie.com:443/$(password)'],
    ['pushbullet', { password: 'p', targets: 'a/b' }, 'pushbullet://$(password)/a/b'],
    ['pushover', { username: 'u', password: 'p' }, 'pushover://:$(password)@u/'],
    [
      'rocketchat',
      { user: 'bot', host: 'r.test', username: 'a', password: 'b', channel: 'ops' },
      'rocketchat://bot@r.test:443/$(username)/$(password)/ops',
    ],
    ['slack', { username: 'ops', password: 'p' }, 'slack://$(password)@ops'],
    ['teams', { group: 'g', tenant: 't', altID: 'a', groupOwner: 'o' }, 'teams://g@t/a/o?host=outlook.office.com'],
    ['telegram', { username: '@ops,1', password: 'p' }, 'telegram://$(password)@telegram/?Chats=%40ops%2C1'],
    ['zulip_chat', { username: 'b@z.test', host: 'z.test', password: 'p' }, 'zulip://b%40z.test:$(password)@z.test/'],
    [
      'generic_webhook',
      { webhook: 'https://h.test/x' },
      'generic+https://h.test/x?ContentType=application%2Fjson&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false',
    ],
  ])('%s', (type, values, expected) => {
    const columns = saved(type, values)
    expect(columns.url).toBe(expected)
    // What the address is made of can be edited again.
    expect(valuesOf(kindOf(type), columns)).toMatchObject(values)
    expect(columns.url).not.toContain('undefined')
  })
  test('a username from elsewhere, or not shown, is filled in at use', () => {
    expect(saved('slack', { username: 'secret://slack/channel', password: 'p' }).url).toBe(
      'slack://$(password)@$(username)',
    )
    expect(saved('slack', { username: '***' }).url).toBe('slack://$(password)@$(username)')
  })
})

describe('stored rows', () => {
  const row: ConnectionColumns = {
    url: 'redis:6379',
    username: null,
    password: '***',
    certificate: null,
    insecure_tls: false,
    properties: { db: '2', extra: 'kept' },
  }
  test('come back as they are; what the form does not know stays', () => {
    const redis = kindOf('redis')
    const values = valuesOf(redis, row)
    expect(values).toMatchObject({ url: 'redis:6379', password: '***', db: 2 })
    expect(columnsOf(redis, values, row)).toEqual(row)
    expect(columnsOf(redis, { ...values, db: undefined }, row).properties).toEqual({ extra: 'kept' })
  })
  test('every type survives saving what it stored', () => {
    for (const kind of connectionKinds) {
      const values = Object.fromEntries(
        kind.fields.map((field) => [
          field.key,
          field.kind === 'switch'
            ? true
            : field.kind === 'number'
              ? 7
              : (field.options?.at(-1)?.value ?? `${field.key}.example`),
        ]),
      )
      const columns = columnsOf(kind, values)
      expect(columnsOf(kind, valuesOf(kind, columns), columns)).toEqual(columns)
    }
  })
  test('secrets beside password and certificate', () => {
    expect([...secretPlaces(kindOf('slackwebhook'))]).toContain('url')
    expect([...secretPlaces(kindOf('prometheus'))]).toContain('properties.bearer')
    expect([...secretPlaces(undefined)]).toEqual(['password', 'certificate'])
  })
})
