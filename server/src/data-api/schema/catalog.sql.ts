/** What the schema cache asks of PostgreSQL's catalog. Everything the data API serves lives in `public`. */

export interface RelationRow {
  oid: number
  name: string
  /** r table, p partitioned table, v view, m materialised view, f foreign table */
  kind: 'r' | 'p' | 'v' | 'm' | 'f'
  comment: string | null
}

// Partitions are reached through their parent; relations that an extension brought along are none of ours.
export const servedRelations = `
  select c.oid as oid, c.relname as name, c.relkind as kind, obj_description(c.oid, 'pg_class') as comment
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition
    and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

export interface ColumnRow {
  relation: number
  number: number
  name: string
  /** As a cast spells it. */
  type: string
  /** Type below domains: its name, its category and, for arrays, that it is one. */
  base: string
  category: string
  nullable: boolean
  default: string | null
  generated: boolean
  comment: string | null
}

export const columnsOfRelations = `
  select a.attrelid as relation, a.attnum::int as number, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type,
    coalesce(b.typname, t.typname) as base, coalesce(b.typcategory, t.typcategory) as category,
    not (a.attnotnull or t.typnotnull) as nullable,
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default,
    a.attgenerated <> '' or a.attidentity = 'a' as generated,
    col_description(a.attrelid, a.attnum) as comment
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_type t on t.oid = a.atttypid
  left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

export interface KeyRow {
  relation: number
  columns: string[]
  primary: boolean
}

// Partial indexes do not make a column unique, and expression indexes name no column.
export const uniqueKeys = `
  select i.indrelid as relation, i.indisprimary as primary,
    array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(n, o)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n
      where k.o <= i.indnkeyatts order by k.o) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
  where i.indisunique and i.indpred is null and i.indexprs is null
    and c.relnamespace = 'public'::regnamespace and not c.relispartition
  order by i.indisprimary desc, i.indexrelid`

export interface ForeignKeyRow {
  name: string
  relation: number
  references: number
  columns: string[]
  referenced: string[]
}

export const foreignKeys = `
  select k.conname as name, k.conrelid as relation, k.confrelid as references,
    array(select a.attname::text from unnest(k.conkey) with ordinality u(n, o)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by u.o) as columns,
    array(select a.attname::text from unnest(k.confkey) with ordinality u(n, o)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n order by u.o) as referenced
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0
    and c.relnamespace = 'public'::regnamespace and f.relnamespace = 'public'::regnamespace and not c.relispartition
  order by k.conname, k.oid`

export interface ViewTreeRow {
  view: number
  tree: string
}

export const viewTrees = `
  select c.oid as view, r.ev_action::text as tree
  from pg_rewrite r join pg_class c on c.oid = r.ev_class
  where r.rulename = '_RETURN' and c.relkind in ('v', 'm') and c.relnamespace = 'public'::regnamespace`

export interface RoutineRow {
  name: string
  comment: string | null
  args: { name: string; type: string; category: string; optional: boolean; variadic: boolean }[]
  outputs: { name: string; type: string; base: string; category: string }[]
  returns_set: boolean
  return_type: string
  return_kind: string
  return_relation: number | null
  volatility: 'i' | 's' | 'v'
}

// Trigger functions, aggregates, procedures and what extensions brought cannot be called through the API at all.
export const callableRoutines = `
  with routine as (
    select p.*, coalesce(p.proallargtypes, p.proargtypes::oid[]) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), arg as (
    select r.oid, a.ord, coalesce(r.proargnames[a.ord], '') as name, format_type(a.type, null) as type,
      t.typname as base, t.typcategory as category, coalesce(r.proargmodes[a.ord], 'i') as mode,
      row_number() over (partition by r.oid, coalesce(r.proargmodes[a.ord], 'i') in ('i', 'b', 'v') order by a.ord) as rank
    from routine r, unnest(r.types) with ordinality a(type, ord) join pg_type t on t.oid = a.type
  )
  select r.proname as name, obj_description(r.oid, 'pg_proc') as comment, r.proretset as returns_set,
    format_type(r.prorettype, null) as return_type, rt.typtype as return_kind,
    case when rt.typrelid <> 0 then rt.typrelid end as return_relation, r.provolatile as volatility,
    coalesce((select json_agg(json_build_object('name', a.name, 'type', a.type, 'category', a.category,
        'optional', a.rank > r.pronargs - r.pronargdefaults, 'variadic', a.mode = 'v') order by a.ord)
      from arg a where a.oid = r.oid and a.mode in ('i', 'b', 'v')), '[]') as args,
    coalesce((select json_agg(json_build_object('name', a.name, 'type', a.type, 'base', a.base, 'category', a.category) order by a.ord)
      from arg a where a.oid = r.oid and a.mode in ('o', 'b', 't')), '[]') as outputs
  from routine r join pg_type rt on rt.oid = r.prorettype
  order by r.proname, r.oid`
