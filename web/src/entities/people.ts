import { queryOptions } from '@tanstack/react-query'
import { from } from '@/api/data-api.ts'

export interface Person {
  id: string
  name: string
  email?: string | null
  avatar?: string | null
}

export interface Team {
  id: string
  name: string
  icon?: string | null
}

export interface Agent {
  id: string
  name: string
  description?: string | null
}

/** Stands in agent columns where there is no agent. */
export const nilAgent = '00000000-0000-0000-0000-000000000000'

/** The id of a real agent; nothing for none and for the all-zero id. */
export function agentIdOf(id: string | null | undefined): string | undefined {
  return id && id !== nilAgent ? id : undefined
}

/** People who can be chosen; technical accounts of agents are not people. */
export const peopleQuery = () =>
  queryOptions({
    queryKey: ['people', 'names'],
    queryFn: ({ signal }) =>
      from<Person & { type?: string | null; deleted_at?: string | null }>('people')
        .select('id,name,email,avatar,type,deleted_at')
        .order('name.asc')
        .rows({ signal }),
    select: (rows): Person[] => rows.filter((row) => !row.deleted_at && row.type !== 'agent'),
    meta: { relations: ['people'] },
  })

export const teamsQuery = () =>
  queryOptions({
    queryKey: ['teams', 'names'],
    queryFn: ({ signal }) =>
      from<Team>('teams').select('id,name,icon').isNull('deleted_at').order('name.asc').rows({ signal }),
    meta: { relations: ['teams'] },
  })

/** Agents by name, without the entry that stands for none. */
export const agentsQuery = () =>
  queryOptions({
    queryKey: ['agents', 'names'],
    queryFn: ({ signal }) =>
      from<Agent & { deleted_at?: string | null }>('agents')
        .select('id,name,description,deleted_at')
        .order('name.asc')
        .rows({ signal }),
    select: (rows): Agent[] => rows.filter((row) => !row.deleted_at && row.id !== nilAgent),
    meta: { relations: ['agents'] },
  })

/** One agent, also a deleted one, for badges on what it reported. */
export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'name', id],
    queryFn: ({ signal }) => from<Agent>('agents').select('id,name,description').eq('id', id).first({ signal }),
    meta: { relations: ['agents'], ids: [id], quiet: true },
  })

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'name', id],
    queryFn: ({ signal }) => from<Person>('people').select('id,name,email,avatar').eq('id', id).first({ signal }),
    meta: { relations: ['people'], ids: [id], quiet: true },
  })
