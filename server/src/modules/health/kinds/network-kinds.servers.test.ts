import { readFileSync } from 'node:fs'
import { describe, expect, inject, test } from 'vitest'
import { testServers } from '../../../testing/servers.ts'
import { alertmanager } from './alertmanager.ts'
import { dns } from './dns.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { ldap } from './ldap.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { redis } from './redis.ts'
import { tcp } from './tcp.ts'
import { runAll, runOne } from './testing.ts'

const servers = testServers()
const check = (kind: unknown, raw: object) => runOne(kind as never, raw)

describe('nginx', () => {
  const { url, tlsUrl, ca, username, password } = servers.nginx!
  test('plain, JSON, redirect and failure', async () => {
    expect(await check(http, { url, responseContent: 'hello from nginx' })).toMatchObject({ pass: true, error: null })
    expect(await check(http, { url: `${url}/items.json`, test: { expr: 'json.items.size() == 3' } })).toMatchObject({
      pass: true,
    })
    expect(await check(http, { url: `${url}/moved`, responseContent: 'hello' })).toMatchObject({ pass: true })
    expect(await check(http, { url: `${url}/broken` })).toMatchObject({ pass: false, error: 'code 500, expected 2xx' })
  })
  test('basic auth', async () => {
    expect(await check(http, { url: `${url}/private` })).toMatchObject({ pass: false, error: 'code 401, expected 2xx' })
    expect(await check(http, { url: `${url}/private`, username, password })).toMatchObject({ pass: true })
  })
  test('TLS with an authority of its own, and the days left', async () => {
    const tlsConfig = { ca: readFileSync(ca!, 'utf8') }
    expect((await check(http, { url: tlsUrl })).error).toMatch(/unable to verify|self-signed/)
    expect(await check(http, { url: tlsUrl, tlsConfig, maxSSLExpiry: 50 })).toMatchObject({ pass: true, error: null })
    expect(await check(http, { url: tlsUrl, tlsConfig, maxSSLExpiry: 90 })).toMatchObject({ pass: false })
  })
  test('a port', async () => {
    expect(await check(tcp, { endpoint: new URL(url!).host })).toMatchObject({ pass: true })
  })
})

describe('PostgreSQL', () => {
  const url = () => inject('databaseUrl')
  test('rows come typed', async () => {
    const query = `select 1::bigint as big, 2.5::numeric as price, true as yes, '{"a":[1]}'::jsonb as doc, timestamptz '2026-01-02 03:04:05Z' as at`
    const result = await check(postgres, {
      url: url(),
      query,
      results: 1,
      test: { expr: 'results.rows[0].big + 1 == 2 && results.rows[0].doc.a[0] == 1' },
    })
    expect(result).toMatchObject({
      pass: true,
      error: null,
      detail: { count: 1, rows: [{ big: 1, price: 2.5, yes: true, doc: { a: [1] } }] },
    })
    expect(JSON.stringify(result.detail)).toContain('2026-01-02T03:04:05.000Z')
  })
  test('too few rows, wrong SQL, wrong password, nobody there', async () => {
    expect((await check(postgres, { url: url(), query: 'select 1 where false', results: 1 })).error).toBe(
      '0 rows, fewer than 1',
    )
    expect((await check(postgres, { url: url(), query: 'selec 1' })).error).toContain('syntax error')
    expect((await check(postgres, { url: 'postgres://a:b@127.0.0.1:1/x' })).error).toContain('ECONNREFUSED')
  })
  test('a million rows are counted and not kept', async () => {
    const result = await check(postgres, {
      url: url(),
      query: 'select n from generate_series(1, 1000000) n',
      test: { expr: 'results.count == 1000000 && results.rows.size() == 5000' },
    })
    expect(result).toMatchObject({ pass: true, error: null })
  })
  test('a statement that hangs ends with the check', async () => {
    const stop = AbortSignal.timeout(500)
    const [result] = await runAll(postgres as never, { url: url(), query: 'select pg_sleep(20)' }, { stop })
    expect(result).toMatchObject({ pass: false })
  })
  test('one row per queue by a transform', async () => {
    const results = await runAll(postgres as never, {
      url: url(),
      query: `select * from (values ('a', 5), ('b', 500)) q(name, depth)`,
      transform: {
        expr: "results.rows.map(r, {'name': r.name, 'pass': r.depth < 100, 'message': string(r.depth)}).toJSON()",
      },
    })
    expect(results.slice(1).map(({ row, pass, message }) => [row?.name, pass, message])).toEqual([
      ['a', true, '5'],
      ['b', false, '500'],
    ])
  })
})

describe('MariaDB', () => {
  const { url, port, username, password } = servers.mariadb!
  test('rows come typed, by either way of writing the address', async () => {
    const query = 'select * from items order by id'
    const result = await check(mysql, { url, query, results: 2 })
    expect(result).toMatchObject({
      pass: true,
      error: null,
      detail: {
        count: 2,
        rows: [
          { id: 1, price: 2.5 },
          { id: 2, price: 3 },
        ],
      },
    })
    expect(
      await check(mysql, { connection: `${username}:${password}@tcp(127.0.0.1:${port})/shop`, query }),
    ).toMatchObject({ pass: true })
    expect(
      await check(mysql, { url: `mysql://127.0.0.1:${port}/shop`, username, password: { value: password } }),
    ).toMatchObject({ pass: true })
  })
  test('wrong password, wrong SQL', async () => {
    const wrong = await check(mysql, { url: `mysql://127.0.0.1:${port}/shop`, username, password: 'not-the-password' })
    expect(wrong.error).toContain('Access denied')
    expect(JSON.stringify(wrong)).not.toContain('not-the-password')
    expect((await check(mysql, { url, query: 'selec' })).error).toContain('syntax')
    expect((await check(mysql, { url, query: 'select 1 from items where id > 9', results: 1 })).error).toBe(
      '0 rows, fewer than 1',
    )
  })
})

describe('Redis', () => {
  const { url, password } = servers.redis!
  test('PING with and without the password', async () => {
    expect(await check(redis, { url, password, db: 3 })).toMatchObject({ pass: true })
    expect(await check(redis, { addr: url, password })).toMatchObject({ pass: true })
    expect(await check(redis, { url: `redis://:${password}@${url}/2` })).toMatchObject({ pass: true })
    expect((await check(redis, { url })).error).toContain('NOAUTH')
    expect((await check(redis, { url, password: 'wrong-one' })).error).toContain('WRONGPASS')
    expect((await check(redis, { url, password, db: 9999 })).error).toContain('out of range')
  })
  test('something else behind the port', async () => {
    expect((await check(redis, { url: new URL(servers.nginx!.url!).host })).error).toContain(
      'not that of a Redis server',
    )
  })
})

describe('OpenLDAP', () => {
  const { url, username, password } = servers.ldap!
  const raw = { url, username, password, bindDN: 'dc=test' }
  test('finds, finds nothing, is refused', async () => {
    expect(await check(ldap, { ...raw, userSearch: '(uid=ann)' })).toMatchObject({ pass: true, message: '1 entries' })
    expect((await check(ldap, { ...raw, userSearch: '(uid=bob)' })).error).toBe('nothing was found under dc=test')
    expect((await check(ldap, { ...raw, password: 'wrong-one' })).error).toContain('bind failed')
    expect(await check(ldap, { ...raw, url: 'http://x' })).toMatchObject({ invalid: true })
  })
})

describe('bind9', () => {
  const { server, port } = servers.bind!
  const ask = (querytype: string, query: string, exactreply: string[]) =>
    check(dns, { server, port, querytype, query, exactreply })
  test.each([
    ['A', 'www.example.test', ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
    ['AAAA', 'six.example.test', ['2001:db8::2']],
    ['CNAME', 'alias.example.test', ['www.example.test.']],
    ['MX', 'example.test', ['mail.example.test. 10']],
    ['NS', 'example.test', ['ns.example.test.']],
    ['TXT', 'example.test', ['v=spf1 -all']],
    ['PTR', '192.0.2.1', ['www.example.test.']],
    ['SRV', '_sip._tcp.example.test', ['www.example.test. 5060 5 10']],
    ['SOA', 'example.test', ['ns.example.test. admin.example.test. 7']],
    ['CAA', 'example.test', ['0 ca.test']],
  ])('%s of %s', async (type, name, wanted) => {
    expect(await ask(type, name, wanted)).toMatchObject({ pass: true, error: null })
  })
  test('other answers, too few, no such name', async () => {
    expect((await ask('A', 'www.example.test', ['192.0.2.9'])).error).toContain('expected 192.0.2.9')
    expect((await check(dns, { server, port, query: 'www.example.test', minrecords: 4 })).error).toBe(
      '3 records, fewer than 4',
    )
    expect((await check(dns, { server, port, query: 'nope.example.test' })).error).toBe('0 records, fewer than 1')
  })
})

describe('Prometheus', () => {
  const { url } = servers.prometheus!
  test('a query gives its samples, value and labels', async () => {
    await expect
      .poll(
        async () =>
          (await check(prometheus, { url, query: 'up', test: { expr: "value == 1.0 && firstResult.job == 'self'" } }))
            .pass,
        { timeout: 15_000, interval: 500 },
      )
      .toBe(true)
    const result = await check(prometheus, { url, query: 'up{job="self"}' })
    expect(result).toMatchObject({ pass: true, detail: [{ job: 'self', value: 1 }], labels: { job: 'self' } })
    expect(await check(prometheus, { url, query: 'scalar(vector(3))', test: { expr: 'value == 3.0' } })).toMatchObject({
      pass: true,
      error: null,
    })
  })
  test('an empty answer has value 0; a wrong query fails with its reason', async () => {
    expect(await check(prometheus, { url, query: 'nothing_here', test: { expr: 'value == 0' } })).toMatchObject({
      pass: true,
    })
    expect((await check(prometheus, { url, query: 'up{' })).error).toContain('the query failed: ')
    expect(await check(prometheus, { url, host: 'x', query: 'up' })).toMatchObject({ pass: false })
  })
})

describe('Alertmanager', () => {
  const { url } = servers.alertmanager!
  test('alerts become checks', async () => {
    const alert = (labels: object, annotations = {}) => ({ labels, annotations })
    const body = JSON.stringify([
      alert({ alertname: 'Down', namespace: 'web', pod: 'p-1', container: 'c' }, { description: 'it is down' }),
      alert({ alertname: 'Slow', node: 'n1', job: 'j', container: 'j' }, { summary: 'slow' }),
      alert({ alertname: 'Other', namespace: 'web' }),
    ])
    await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const results = await runAll(alertmanager as never, {
      url,
      alerts: ['Down', 'Slow'],
      transform: {
        expr: "results.alerts.map(a, {'name': a.name, 'pass': false, 'message': a.message, 'labels': a.labels}).toJSON()",
      },
    })
    const rows = results.slice(1).map(({ row, message }) => [row?.name, message])
    expect(rows.toSorted()).toEqual([
      ['Down/web/p-1/c', 'it is down'],
      ['Slow/n1', 'slow'],
    ])
    expect(
      await check(alertmanager, { url, filters: { namespace: 'w.b' }, exclude_filters: { alertname: 'Down' } }),
    ).toMatchObject({
      detail: { alerts: [{ name: 'Other/web' }] },
    })
    expect(await check(alertmanager, { url, ignore: ['Down', 'Oth.*'] })).toMatchObject({
      detail: { alerts: [{ name: 'Slow/n1' }] },
    })
  })
})

describe('ping', () => {
  test('this machine answers, an address for documentation does not', async () => {
    expect(await check(icmp, { endpoint: '127.0.0.1', packetCount: 2, thresholdMillis: 1000 })).toMatchObject({
      pass: true,
    })
    const result = await check(icmp, { endpoint: '192.0.2.77', packetCount: 1 })
    expect(result.pass).toBe(false)
  })
})
