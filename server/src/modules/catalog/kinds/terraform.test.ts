import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeServer } from '../../health/kinds/testing.ts'
import { terraform } from './terraform.ts'
import { scrapeAll } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-terraform-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const arn = 'arn:aws:rds:eu-west-1:123456789012:db:shop'
const state = (lineage: string) => ({
  version: 4,
  terraform_version: '1.9.0',
  serial: 3,
  lineage,
  outputs: { url: { value: 'https://shop', type: 'string' }, admin: { value: 'hunter2-out', sensitive: true } },
  resources: [
    {
      mode: 'managed',
      type: 'aws_db_instance',
      name: 'shop',
      instances: [
        {
          attributes: { id: 'shop', arn, master: { user_data: 'hunter2-deep' }, users: ['a', 'hunter2-list'] },
          sensitive_attributes: [
            [
              { type: 'get_attr', value: 'master' },
              { type: 'get_attr', value: 'user_data' },
            ],
            [
              { type: 'get_attr', value: 'users' },
              { type: 'index', value: { value: 1, type: 'number' } },
            ],
          ],
          private: 'bnVsbA==',
        },
      ],
    },
    { type: 'aws_instance', instances: [{ attributes: { id: 'i-0abc1234def567890', password: 'hunter2-named' } }] },
  ],
})
const put = (path: string, body: unknown) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), typeof body === 'string' ? body : JSON.stringify(body))
}

describe('local state files', () => {
  put('live/shop.tfstate', state('lineage-shop'))
  put('live/eu/mail.tfstate', state('lineage-mail'))
  put('broken/old.tfstate', { version: 3, modules: [] })
  put('broken/text.tfstate', 'not json')

  test('are modules by their lineage, without what they keep secret, related to what they made', async () => {
    const { items, errors, failure } = await scrapeAll(terraform, {
      name: 'module of {{ .path }}',
      state: { local: join(folder, 'live/**/*.tfstate') },
    })
    expect([failure, errors]).toEqual([undefined, []])
    expect(items.map(({ id, type, name }) => [id, type, name])).toEqual([
      ['lineage-mail', 'Terraform::Module', `module of ${folder}/live/eu/mail.tfstate`],
      ['lineage-shop', 'Terraform::Module', `module of ${folder}/live/shop.tfstate`],
    ])
    const text = JSON.stringify(items)
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('bnVsbA==')
    expect(text).toContain('https://shop')
    // The name of the database would fit a stranger, so it is not an id.
    expect(items[0]!.relationships).toEqual([
      { to: { externalId: arn }, relation: 'TerraformResource' },
      { to: { externalId: 'i-0abc1234def567890' }, relation: 'TerraformResource' },
    ])
  })

  test('that are none are told by name', async () => {
    const { items, errors } = await scrapeAll(terraform, { state: { local: join(folder, 'broken/*.tfstate') } })
    expect(items).toEqual([])
    expect(errors).toEqual([
      {
        item: join(folder, 'broken/old.tfstate'),
        message: 'the file is not a Terraform state (version 3 is too old)',
      },
      { item: join(folder, 'broken/text.tfstate'), message: 'the file is not JSON' },
    ])
    const { failure } = await scrapeAll(terraform, { state: { local: 'relative/*.tfstate' } })
    expect(failure?.message).toBe('"relative/*.tfstate" is not an absolute path')
    expect(() => terraform.schema.parse({ state: {} })).toThrow('local or s3 is needed')
  })
})

test('state files of a bucket are listed, chosen by pattern and read', async () => {
  const fake = await fakeServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end()
    if (pathname === '/states/') {
      const keys = ['live/a.tfstate', 'live/notes.txt', 'live/gone.tfstate'].filter((key) =>
        key.startsWith(searchParams.get('prefix') ?? ''),
      )
      const contents = keys.map(
        (key) =>
          `<Contents><Key>${key}</Key><Size>10</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
      )
      return response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`)
    }
    if (pathname === '/states/live/a.tfstate') return response.end(JSON.stringify(state('lineage-a')))
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>')
  })
  const s3 = { bucket: 'states', objectPath: 'live/*.tfstate', accessKey: 'AK', secretKey: 'hunter2-key' }
  const { items, errors, failure } = await scrapeAll(terraform, {
    state: { s3: { ...s3, endpoint: fake.url, usePathStyle: true } },
  })
  fake.close()
  expect(failure).toBeUndefined()
  expect(items.map(({ id, name }) => [id, name])).toEqual([['lineage-a', 's3://states/live/a.tfstate']])
  expect(errors.map(({ item, message }) => [item, message])).toEqual([
    ['s3://states/live/gone.tfstate', 'reading s3://states/live/gone.tfstate: code 404, NoSuchKey, gone'],
  ])
})
