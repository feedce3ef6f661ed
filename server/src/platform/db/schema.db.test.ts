import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { foreignKeys, ownColumns, tables, uniqueKeys } from './schema-expected.ts'
import { functions, summaryTables, views } from './schema-expected-views.ts'

const db = await testDatabase()

const longTypes: Record<string, string> = {
  t: 'text',
  u: 'uuid',
  ts: 'timestamptz',
  i: 'integer',
  n: 'bigint',
  num: 'numeric',
  j: 'jsonb',
  b: 'boolean',
}
const longType = (type: string) =>
  type.endsWith('[]') ? `${longTypes[type.slice(0, -2)] ?? type.slice(0, -2)}[]` : (longTypes[type] ?? type)
const shortName = (type: string) =>
  type.replace('timestamp with time zone', 'timestamptz').replace('character varying', 'varchar')
const nil = '00000000-0000-0000-0000-000000000000'
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)

interface Column {
  relation: string
  name: string
  type: string
  required: boolean
  default: string | null
}

const columns = await db.query<Column>(`
  select c.relname as relation, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
         pg_get_expr(d.adbin, d.adrelid) as default
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
  order by c.relname, a.attnum`)
const columnsOf = (relation: string) => columns.filter((column) => column.relation === relation)

/** The default as the expectation writes it. */
function shownDefault(text: string | null): string {
  if (text === null || text.startsWith('nextval')) return ''
  if (text === 'generate_ulid()') return ' = ulid'
  if (text.includes('incident_id_sequence')) return ' = incident'
  if (text.startsWith(`'${nil}'`)) return ' = nil'
  return ` = ${text.replace(/::[a-z_]+$/, '')}`
}

describe('tables', () => {
  test.each(Object.entries(tables))('%s has exactly the columns of the data model', (table, expected) => {
    const own = ownColumns[table] ?? []
    const actual = columnsOf(table)
      .filter(({ name }) => !own.includes(name))
      .map(
        (column) =>
          `${column.name} ${shortName(column.type)}${column.required ? ' !' : ''}${shownDefault(column.default)}`,
      )
    const wanted = lines(expected).map((line) => line.replace(' bigserial', ' bigint'))
    // The order of columns is nobody's contract.
    expect(actual.sort()).toEqual(wanted.sort())
    for (const name of own) expect(columnsOf(table).map((column) => column.name)).toContain(name)
  })

  test('enums have their values in order', async () => {
    const rows = await db.query<{ name: string; labels: string[] }>(`
      select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
      from pg_type t join pg_enum e on e.enumtypid = t.oid group by 1 order by 1`)
    expect(rows).toEqual([
      {
        name: 'playbook_run_status',
        labels: ['scheduled', 'running', 'cancelled', 'completed', 'failed', 'pending', 'sleeping'],
      },
      { name: 'source', labels: ['KubernetesCRD', 'ConfigFile', 'UI', 'Topology', 'Push', 'CRDSync'] },
    ])
  })

  test('seeds are there', async () => {
    expect(await db.one('select name, email from people')).toEqual({ name: 'System', email: null })
    expect(await db.one('select id, name from agents')).toEqual({ id: nil, name: 'local' })
    const severities = await db.query<{ line: string }>(
      `select concat_ws(' ', id, name, icon, aliases[1]) as line from severities order by id`,
    )
    expect(severities.map(({ line }) => line)).toEqual([
      '1 Critical error P1',
      '2 Blocker error P2',
      '3 High warning P3',
      '4 Medium info P4',
      '5 Low info P4',
    ])
  })
})

describe('keys', () => {
  test('foreign keys carry the names that clients use as hints', async () => {
    const rows = await db.query<{ line: string }>(`
      select format('%s.%s %s > %s%s%s', c.conrelid::regclass, c.conname, a.attname, c.confrelid::regclass,
        case c.confdeltype when 'c' then ' on delete cascade' when 'n' then ' on delete set null' else '' end,
        case c.confupdtype when 'c' then ' on update cascade' else '' end) as line
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0`)
    const actual = rows.map(({ line }) => line).filter((line) => line.slice(0, line.indexOf('.')) in tables)
    expect(actual.sort()).toEqual(lines(foreignKeys).sort())
  })

  test('keys that a bulk delete depends on are checked at the end', async () => {
    const rows = await db.query<{ name: string }>(
      `select conname as name from pg_constraint where condeferred and connamespace = 'public'::regnamespace order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'check_config_relationships_config_id_fkey',
        'config_analysis_config_id_fkey',
        'config_changes_config_id_fkey',
        'config_items_parent_id_fkey',
        'config_relationships_config_id_fkey',
        'config_relationships_related_id_fkey',
      ]),
    )
  })

  test('unique keys have their names and columns', async () => {
    const rows = await db.query<{ line: string }>(`
      select format('%s.%s %s%s', i.indrelid::regclass, c.relname,
        (select string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' order by k) from generate_series(1, i.indnkeyatts) k),
        ' where ' || pg_get_expr(i.indpred, i.indrelid)) as line
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and not i.indisprimary and c.relnamespace = 'public'::regnamespace`)
    const shown = (line: string) =>
      line
        .toLowerCase()
        .replaceAll(`'${nil}'::uuid`, 'nil')
        .replaceAll(/[()]|::text/g, '')
    const actual = rows.map(({ line }) => shown(line))
    for (const expected of lines(uniqueKeys).map(shown)) expect(actual).toContain(expected)
  })

  test('every foreign key has an index that starts with its column', async () => {
    const rows = await db.query<{ line: string }>(`
      select c.conrelid::regclass || '.' || a.attname as line
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
        -- People, agents and teams are never removed, only marked: nobody looks up rows by these.
        and c.confrelid not in ('people'::regclass, 'agents'::regclass, 'teams'::regclass)
        and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])
      order by 1`)
    expect(rows.map(({ line }) => line)).toEqual([])
  })
})

describe('views', () => {
  const expand = (text: string): string[] =>
    list(text.replace('+', ',')).flatMap((item) => {
      const base = /^(\w+)\.\*$/.exec(item)?.[1]
      if (base)
        return columnsOf(base).map(({ name, type }) => `${name} ${shortName(type).replace(/numeric\(.*/, 'numeric')}`)
      const [name, ...type] = item.split(' ')
      return [`${name} ${longType(type.join(' '))}`]
    })
  const actualColumns = (relation: string) =>
    columnsOf(relation).map(({ name, type }) => `${name} ${shortName(type).replace(/numeric\(.*/, 'numeric')}`)

  test.each(Object.entries({ ...views, ...summaryTables }))(
    '%s has the columns of the data model',
    (view, expected) => {
      expect(actualColumns(view)).toEqual(expand(expected))
    },
  )

  test.each(Object.keys(views))('%s can be read', async (view) => {
    await db.query(`select * from ${view} limit 1`)
  })
})

describe('functions', () => {
  interface Signature {
    name: string
    args: string
    result: string
  }

  test.each(Object.entries(functions))(
    '%s takes and returns what the data model says',
    async (name, [args, result]) => {
      const found = await db.query<Signature>(
        `select proname as name, pg_get_function_arguments(oid) as args, pg_get_function_result(oid) as result
       from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
        [name],
      )
      expect(found).toHaveLength(1)
      const long = (text: string) =>
        list(text)
          .map((item) => {
            const [column, type, , ...value] = item.split(' ')
            if (type === undefined) return longType(column!)
            const shown =
              ['time', 'table', 'constraint', 'text'].includes(column!) && column !== 'text' ? `"${column}"` : column
            return `${shown} ${longType(type)}${value.length > 0 ? ` DEFAULT ${value.join(' ')}` : ''}`
          })
          .join(', ')
      const tidy = (text: string) =>
        shortName(text).replaceAll('timestamp with time zone', 'timestamptz').replaceAll('::text', '')
      expect(tidy(found[0]!.args)).toBe(long(args))
      const expectedResult =
        result.startsWith('setof') || result === 'void' ? result.replace('setof', 'SETOF') : long(result)
      const table = /^TABLE\((.*)\)$/.exec(tidy(found[0]!.result))?.[1]
      expect(table ?? tidy(found[0]!.result)).toBe(expectedResult)
    },
  )

  test('reading functions do not write', async () => {
    const rows = await db.query<{ name: string }>(
      `select proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and proname ~ '^(lookup_|related_|config_relationships_|get_|check_summary_for)'
         and provolatile = 'v'`,
    )
    expect(rows).toEqual([])
  })
})
