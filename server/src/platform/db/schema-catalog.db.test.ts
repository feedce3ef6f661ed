import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows, type Stored } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)
const update = (table: string, id: string, set: string) => db.run(`update ${table} set ${set} where id = $1`, [id])
const relate = (from: Stored, to: Stored, relation: string | null = 'Uses') =>
  make.insert('config_relationships', { config_id: from.id, related_id: to.id, relation })

describe('items', () => {
  test('an item without a name gets the end of its id; an empty type is refused', async () => {
    const item = await make.aConfig({ name: '' })
    expect(item['name']).toBe(item.id.slice(-12))
    await expect(make.aConfig({ type: '' })).rejects.toMatchObject({
      code: '23514',
      constraint: 'config_item_name_type_not_empty',
    })
  })

  test('a parent is also a hard relationship, which follows the parent', async () => {
    const [first, second] = [await make.aConfig(), await make.aConfig()]
    const child = await make.aConfig({ parent_id: first.id })
    const parents = () =>
      db.query(`select config_id from config_relationships where related_id = $1 and relation = 'hard'`, [child.id])
    expect(await parents()).toEqual([{ config_id: first.id }])
    await update('config_items', child.id, `parent_id = '${second.id}'`)
    expect(await parents()).toEqual([{ config_id: second.id }])
    await update('config_items', child.id, 'parent_id = null')
    expect(await parents()).toEqual([])
  })

  test('parents may come after their children in one transaction', async () => {
    await db.tx(async (sql) => {
      const id = '00000000-0000-4000-8000-0000000000aa'
      await sql.query(`insert into config_items (config_class, type, name, parent_id) values ('a', 'b', 'child', $1)`, [
        id,
      ])
      await sql.query(`insert into config_items (id, config_class, type, name) values ($1, 'a', 'b', 'parent')`, [id])
    })
  })

  test('a relationship without a name is stored once', async () => {
    const [from, to] = [await make.aConfig(), await make.aConfig()]
    await relate(from, to, null)
    await expect(relate(from, to, null)).rejects.toMatchObject({ code: '23505' })
  })

  test('an unchanged item is touched apart from its row and config_detail shows it', async () => {
    const item = await make.aConfig({ last_scraped_time: '2026-01-01T00:00:00Z', config: { a: 1 } })
    const shown = () => db.one('select last_scraped_time from config_detail where id = $1', [item.id])
    expect(await shown()).toEqual({ last_scraped_time: new Date('2026-01-01T00:00:00Z') })
    await db.query('select touch_config_items(array[$1, $1]::uuid[], $2)', [item.id, '2026-01-02T00:00:00Z'])
    await db.query('select touch_config_items(array[$1]::uuid[], $2)', [item.id, '2026-01-01T12:00:00Z'])
    expect(await shown()).toEqual({ last_scraped_time: new Date('2026-01-02T00:00:00Z') })
  })
})

describe('counts of an item', () => {
  const shown = async (item: Stored) => db.one('select changes, analysis from configs where id = $1', [item.id])

  test('changes count rows of all history by type and severity', async () => {
    const item = await make.aConfig()
    expect(await shown(item)).toEqual({ changes: null, analysis: null })
    await db.run(
      `insert into config_changes (config_id, change_type, severity, count) values
       ($1, 'diff', 'info', 9), ($1, 'diff', 'info', 1), ($1, 'Pulled', null, 1)`,
      [item.id],
    )
    const later = await make.insert('config_changes', { config_id: item.id, change_type: 'diff', severity: 'high' })
    expect((await shown(item))['changes']).toEqual([
      { change_type: 'diff', severity: 'info', total: 2 },
      { change_type: 'Pulled', severity: null, total: 1 },
      { change_type: 'diff', severity: 'high', total: 1 },
    ])
    await update('config_changes', later.id, `severity = 'info', count = 2, created_at = now()`)
    expect((await shown(item))['changes']).toEqual([
      { change_type: 'diff', severity: 'info', total: 3 },
      { change_type: 'Pulled', severity: null, total: 1 },
    ])
    await db.run(`delete from config_changes where config_id = $1 and change_type = 'diff'`, [item.id])
    expect((await shown(item))['changes']).toEqual([{ change_type: 'Pulled', severity: null, total: 1 }])
    await db.run('delete from config_changes where config_id = $1', [item.id])
    expect(await shown(item)).toEqual({ changes: null, analysis: null })
    expect(await db.query('select 1 from config_item_facts where config_id = $1', [item.id])).toEqual([])
  })

  test('two writers at once lose no count', async () => {
    const item = await make.aConfig()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        make.insert('config_changes', { config_id: item.id, change_type: `type${index % 3}`, severity: 'info' }),
      ),
    )
    const counts = (await shown(item))['changes'] as { total: number }[]
    expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(20)
  })

  test('analysis lists open findings', async () => {
    const item = await make.aConfig()
    for (const status of ['open', 'resolved', 'silenced']) {
      await make.insert('config_analysis', {
        config_id: item.id,
        analyzer: `by ${status}`,
        analysis_type: 'security',
        severity: 'high',
        status,
      })
    }
    expect((await shown(item))['analysis']).toEqual([
      { analyzer: 'by open', analysis_type: 'security', severity: 'high' },
    ])
    expect(await db.one('select analysis from analysis_by_config where id = $1', [item.id])).toEqual({
      analysis: { security: { high: 2 } },
    })
  })

  test('analysis follows what becomes of findings, and nothing is left of an item without any', async () => {
    const item = await make.aConfig()
    const other = await make.aConfig()
    const finding = await make.insert('config_analysis', { config_id: item.id, analyzer: 'scan', status: 'open' })
    const entry = { analyzer: 'scan', analysis_type: null, severity: null }
    const analysis = async (of: Stored) => (await shown(of))['analysis']
    expect(await analysis(item)).toEqual([entry])
    await update('config_analysis', finding.id, `severity = 'low', last_observed = now()`)
    expect(await analysis(item)).toEqual([{ ...entry, severity: 'low' }])
    await update('config_analysis', finding.id, `config_id = '${other.id}'`)
    expect([await analysis(item), await analysis(other)]).toEqual([null, [{ ...entry, severity: 'low' }]])
    await update('config_analysis', finding.id, `status = 'resolved'`)
    expect(await analysis(other)).toBeNull()
    await update('config_analysis', finding.id, `status = 'open'`)
    expect(await analysis(other)).toHaveLength(1)
    await db.run('delete from config_analysis where id = $1', [finding.id])
    expect(await analysis(other)).toBeNull()
    const left = await db.query('select from config_item_facts where config_id = any($1)', [[item.id, other.id]])
    expect(left).toEqual([])
  })

  test('findings and changes of two writers at once are all seen', async () => {
    const item = await make.aConfig()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? make.insert('config_analysis', { config_id: item.id, analyzer: `rule ${index}`, status: 'open' })
          : make.insert('config_changes', { config_id: item.id, change_type: 'diff', severity: 'info' }),
      ),
    )
    const { analysis, changes } = (await shown(item)) as { analysis: object[]; changes: object[] }
    expect(analysis).toHaveLength(10)
    expect(changes).toEqual([{ change_type: 'diff', severity: 'info', total: 10 }])
  })
})

describe('value lists', () => {
  const pairs = (view: string) => db.query(`select key, value from ${view} where key like 'test-%'`)

  test('tags and labels of live items, distinct and in order, before and after folding', async () => {
    const items = [
      await make.aConfig({ tags: { 'test-b': '1', 'test-a': '2' }, labels: { 'test-l': 'x' } }),
      await make.aConfig({ tags: { 'test-b': '1', 'test-a': '1' } }),
    ]
    const both = [
      { key: 'test-a', value: '1' },
      { key: 'test-a', value: '2' },
      { key: 'test-b', value: '1' },
    ]
    expect(await pairs('config_tags')).toEqual(both)
    await db.query('select compact_config_values()')
    expect(await pairs('config_tags')).toEqual(both)
    expect(await pairs('config_labels')).toEqual([{ key: 'test-l', value: 'x' }])
    await update('config_items', items[0]!.id, 'deleted_at = now()')
    expect(await pairs('config_tags')).toEqual([
      { key: 'test-a', value: '1' },
      { key: 'test-b', value: '1' },
    ])
    expect(await pairs('config_labels')).toEqual([])
    await update('config_items', items[0]!.id, 'deleted_at = null')
    await update('config_items', items[1]!.id, `tags = '{"test-c": "3"}'`)
    await db.query('select compact_config_values()')
    expect(await pairs('config_tags')).toEqual([
      { key: 'test-a', value: '2' },
      { key: 'test-b', value: '1' },
      { key: 'test-c', value: '3' },
    ])
    await db.run('delete from config_items where id = any ($1)', [items.map(({ id }) => id)])
    expect(await pairs('config_tags')).toEqual([])
  })

  test('odd labels are stored and only left out of the list', async () => {
    await make.aConfig({ labels: { 'test-long': 'x'.repeat(5000), 'test-null': null } })
    await db.run(
      `insert into config_items (config_class, type, name, labels) values ('a', 'b', 'c', '["not", "a", "map"]')`,
    )
    expect(await pairs('config_labels')).toEqual([])
  })

  test('types, classes, statuses, change types and analyzers are distinct', async () => {
    for (const type of ['Test::B', 'Test::A', 'Test::B']) {
      const item = await make.aConfig({ type, config_class: type, status: type })
      await make.insert('config_changes', { config_id: item.id, change_type: type })
      await make.insert('config_analysis', {
        config_id: item.id,
        analyzer: type,
        analysis_type: type,
        status: type.endsWith('A') ? 'open' : 'resolved',
      })
    }
    await make.aConfig({ status: null })
    const values = async (view: string, column: string) =>
      (await db.query<Record<string, string>>(`select ${column} from ${view}`))
        .map((row) => row[column])
        .filter((value) => value?.startsWith('Test::'))
    const [a, b] = ['Test::A', 'Test::B']
    expect(await values('config_types', 'type')).toEqual([a, b])
    expect(await values('config_classes', 'config_class')).toEqual([a, b])
    expect(await values('config_statuses', 'status')).toEqual([a, b])
    expect(await values('change_types', 'change_type')).toEqual([a, b])
    expect(await values('analysis_types', 'analysis_type')).toEqual([a, b])
    expect(await values('analyzer_types', 'analyzer')).toEqual([a, b])
    expect(await values('config_analysis_analyzers', 'analyzer')).toEqual([a])
  })
})

describe('walks', () => {
  // root → a → b → c → a (a loop), b → gone (deleted) → beyond, root ⇒ hard child
  let root: Stored, a: Stored, b: Stored, c: Stored, gone: Stored, beyond: Stored, child: Stored
  beforeAll(async () => {
    root = await make.aConfig({ name: 'root' })
    a = await make.aConfig({ name: 'a' })
    b = await make.aConfig({ name: 'b' })
    c = await make.aConfig({ name: 'c' })
    gone = await make.aConfig({ name: 'gone', deleted_at: new Date() })
    beyond = await make.aConfig({ name: 'beyond' })
    child = await make.aConfig({ name: 'child', parent_id: root.id, path: root.id })
    for (const [from, to] of [
      [root, a],
      [a, b],
      [b, c],
      [c, a],
      [b, gone],
      [gone, beyond],
    ] as const)
      await relate(from, to)
    await make.insert('config_relationships', {
      config_id: root.id,
      related_id: c.id,
      relation: 'Old',
      deleted_at: new Date(),
    })
  })

  const edges = async (start: Stored, ...args: unknown[]) =>
    (
      await db.query<{ edge: string }>(
        `select f.name || '>' || t.name || ' ' || r.depth as edge
         from config_relationships_recursive($1${args.map((_, index) => `, $${index + 2}`).join('')}) r
         join config_items f on f.id = r.id join config_items t on t.id = r.related_id`,
        [start.id, ...args],
      )
    )
      .map(({ edge }) => edge)
      .sort()
  const names = async (sql: string, values: unknown[]) =>
    (await db.query<{ name: string }>(sql, values)).map(({ name }) => name).sort()
  const related = (start: Stored, ...args: unknown[]) =>
    names(`select name from related_configs_recursive($1${args.map((_, index) => `, $${index + 2}`).join('')})`, [
      start.id,
      ...args,
    ])

  test('a loop ends; each edge comes once at its least depth', async () => {
    expect(await edges(a, 'outgoing', 10)).toEqual(['a>b 1', 'b>c 2', 'b>gone 2', 'c>a 3', 'gone>beyond 3'])
  })

  test('deleted edges are not walked, deleted items are walked through and left out', async () => {
    expect(await related(root, 'outgoing', false, 10)).toEqual(['a', 'b', 'beyond', 'c', 'child', 'root'])
    expect(await related(root, 'outgoing', true, 10)).toEqual(['a', 'b', 'beyond', 'c', 'child', 'gone', 'root'])
  })

  test('depth, direction and hard edges limit the walk', async () => {
    expect(await related(root, 'outgoing', false, 1)).toEqual(['a', 'child', 'root'])
    expect(await related(root, 'outgoing', false, 10, 'both', 'hard')).toEqual(['child', 'root'])
    expect(await related(beyond, 'incoming', false, 2)).toEqual(['b', 'beyond'])
    expect(await related(a, 'all', false, 1)).toEqual(['a', 'b', 'c', 'root'])
    expect(await edges(root, 'outgoing', 0)).toEqual(['root>a 1', 'root>child 1'])
  })

  test('A27: an unknown word for the direction means both', async () => {
    expect(await edges(a, 'sideways', 1)).toEqual(await edges(a, 'all', 1))
    expect(await edges(a, '', 1)).toEqual(['a>b 1', 'c>a 1', 'root>a 1'])
  })

  test('ancestors by path are always there, nearest first', async () => {
    expect(await related(child, 'outgoing', false, 10, 'hard', 'hard')).toEqual(['child', 'root'])
    const grandchild = await make.aConfig({ name: 'grandchild', path: `${root.id}.${child.id}` })
    expect(
      await db.query('select id, related_id, relation_type, direction, depth from get_recursive_path($1)', [
        grandchild.id,
      ]),
    ).toEqual([
      { id: child.id, related_id: grandchild.id, relation_type: 'parent', direction: 'incoming', depth: 1 },
      { id: root.id, related_id: child.id, relation_type: 'parent', direction: 'incoming', depth: 2 },
    ])
    await update('config_items', grandchild.id, `path = 'not-an-id.${child.id}.${grandchild.id}'`)
    expect(await db.query('select id, depth from get_recursive_path($1)', [grandchild.id])).toEqual([
      { id: child.id, depth: 1 },
    ])
  })

  test('related_ids are the targets of edges, nodes without any come last', async () => {
    const found = await db.query<{ name: string; related_ids: string[] | null }>(
      `select name, related_ids from related_configs_recursive($1, 'outgoing', false, 2)`,
      [root.id],
    )
    expect(found.map(({ name }) => name).slice(0, 2)).toEqual(['root', 'a'])
    expect(found.find(({ name }) => name === 'root')?.related_ids?.sort()).toEqual([a.id, child.id].sort())
    expect(found.find(({ name }) => name === 'child')?.related_ids).toBeNull()
  })

  test('ids come with their least depth; a lone item has none', async () => {
    const lone = await make.aConfig()
    expect(await db.query('select * from related_config_ids_recursive($1)', [lone.id])).toEqual([])
    const found = await db.query<{ id: string; depth: number }>(
      `select id, depth from related_config_ids_recursive($1, 'outgoing', 3)`,
      [root.id],
    )
    expect(Object.fromEntries(found.map(({ id, depth }) => [id, depth]))).toEqual({
      [root.id]: 1,
      [a.id]: 1,
      [child.id]: 1,
      [b.id]: 2,
      [c.id]: 3,
      [gone.id]: 3,
    })
  })

  test('one step both ways', async () => {
    expect(await names('select name from related_configs($1)', [b.id])).toEqual(['a', 'b', 'c'])
  })

  test('A11: changes around an item leave deleted items out unless asked for; its own are always in', async () => {
    for (const item of [root, a, gone])
      await make.insert('config_changes', { config_id: item.id, change_type: `of ${String(item['name'])}` })
    const found = (...args: unknown[]) =>
      names(`select change_type as name from related_changes_recursive($1, $2, $3, $4)`, args)
    expect(await found(root.id, 'downstream', false, 5)).toEqual(['of a', 'of root'])
    expect(await found(root.id, 'downstream', true, 5)).toEqual(['of a', 'of gone', 'of root'])
    expect(await found(root.id, 'none', true, 5)).toEqual(['of root'])
    expect(await found(gone.id, 'none', false, 5)).toEqual(['of gone'])
    expect(await found(a.id, 'upstream', false, 5)).toEqual(['of a', 'of root'])
  })

  test('parents that form a loop end the walk', async () => {
    const [one, two] = [await make.aConfig(), await make.aConfig()]
    await update('config_items', one.id, `parent_id = '${two.id}'`)
    await update('config_items', two.id, `parent_id = '${one.id}'`)
    expect(await db.one('select config_path($1) as path', [one.id])).toEqual({ path: `${two.id}.${one.id}` })
    const children = await db.query('select level from lookup_config_children($1, -1)', [one.id])
    expect(children.map(({ level }) => level)).toEqual([0, 1])
  })
})

describe('detail', () => {
  test('counts relationships, findings, changes, runs and checks', async () => {
    const [item, below, check, playbook, component] = [
      await make.aConfig(),
      await make.aConfig(),
      await make.aCheck(),
      await make.aPlaybook(),
      await make.aComponent(),
    ]
    await relate(item, below)
    await make.insert('config_analysis', { config_id: item.id, analyzer: 'x', last_observed: new Date() })
    await make.insert('config_analysis', { config_id: item.id, analyzer: 'y', last_observed: new Date(0) })
    await make.insert('config_changes', { config_id: below.id })
    await make.insert('config_changes', { config_id: item.id })
    await make.insert('config_changes', { config_id: item.id, created_at: new Date(0) })
    await make.insert('playbook_runs', { playbook_id: playbook.id, config_id: item.id, start_time: new Date() })
    await make.insert('check_config_relationships', {
      config_id: item.id,
      check_id: check.id,
      canary_id: check['canary_id'],
    })
    await make.insert('config_component_relationships', { config_id: item.id, component_id: component.id })
    const detail = await db.one<{ summary: unknown; components: { id: string }[] }>(
      'select summary, components from config_detail where id = $1',
      [item.id],
    )
    expect(detail.summary).toEqual({ relationships: 1, analysis: 1, changes: 2, playbook_runs: 1, checks: 1 })
    expect(detail.components.map(({ id }) => id)).toEqual([component.id])
  })
})

describe('clean-up', () => {
  test('old deleted items go with all that hangs on them; those somebody points at stay', async () => {
    const old = { deleted_at: new Date(Date.now() - 10 * 86_400_000) }
    const [item, kept, fresh] = [
      await make.aConfig(old),
      await make.aConfig(old),
      await make.aConfig({ deleted_at: new Date() }),
    ]
    const orphan = await make.aConfig({ parent_id: item.id })
    await make.insert('config_changes', { config_id: item.id })
    await make.insert('config_analysis', { config_id: item.id, analyzer: 'x' })
    await relate(item, kept)
    const hypothesis = await make.aHypothesis({ incident_id: (await make.anIncident()).id })
    await make.anEvidence({ hypothesis_id: hypothesis.id, config_id: kept.id, type: 'config' })
    expect(await db.one('select delete_old_config_items(7) as dropped')).toEqual({ dropped: 1 })
    const left = await db.query<{ id: string; parent_id: string | null }>(
      'select id, parent_id from config_items where id = any ($1) order by array_position($1, id)',
      [[item.id, kept.id, fresh.id, orphan.id]],
    )
    expect(left).toEqual([
      { id: kept.id, parent_id: null },
      { id: fresh.id, parent_id: null },
      { id: orphan.id, parent_id: null },
    ])
  })

  test('deferrable keys can be asked for', async () => {
    expect(
      await db.one(`select constraint_is_deferrable('config_items', 'config_items_parent_id_fkey') as yes,
      constraint_is_deferrable('config_items', 'config_items_agent_id_fkey') as no, constraint_is_deferrable('nowhere', 'x') as unknown`),
    ).toEqual({
      yes: true,
      no: false,
      unknown: false,
    })
  })
})

test('keys sort by creation and have a text form', async () => {
  const ids = await db.query<{ id: string }>(`select generate_ulid() as id, pg_sleep(0.002) from generate_series(1, 5)`)
  expect(ids.map(({ id }) => id)).toEqual(ids.map(({ id }) => id).sort())
  expect(ids[0]!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Math.abs(Number.parseInt(ids[0]!.id.replaceAll('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(60_000)
  expect(
    await db.one(
      `select uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b') as ulid, uuid_to_ulid('ffffffff-ffff-ffff-ffff-ffffffffffff') as last`,
    ),
  ).toEqual({
    ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    last: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  })
})
