import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { catalogFilters } from '../catalog.filters.ts'
import { useConfigList } from './use-config-list.ts'

afterEach(() => vi.unstubAllGlobals())

const total = 10_000

/** Answers like the data API over 10,000 items; pages named in `held` wait until they are let go. */
function server(held: Set<number>) {
  const waiting: (() => void)[] = []
  const fake = fakeServer({
    'GET /api/db/configs': async ({ query }: { query: URLSearchParams }) => {
      const ids = /^in\.\((.*)\)$/.exec(query.get('id') ?? '')?.[1]?.split(',')
      if (ids) return ids.toReversed().map((id) => ({ id, name: `item ${id}` }))
      if (query.get('limit') === '1')
        return new Response(JSON.stringify([{ id: '0' }]), { headers: { 'content-range': `0-0/${total}` } })
      const offset = Number(query.get('offset'))
      if (held.has(offset / 500)) await new Promise<void>((resolve) => waiting.push(resolve))
      return Array.from({ length: 500 }, (_, n) => ({ id: String(offset + n), name: `item ${offset + n}` }))
    },
  })
  return { fake, release: () => waiting.splice(0).forEach((resolve) => resolve()) }
}

function show() {
  const queries = createQueryClient()
  const list = { filters: catalogFilters.read('search=x'), sort: undefined, withDeleted: false }
  return renderHook(() => useConfigList(list), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  })
}

test('reads what is in sight and one page on either side', async () => {
  const { fake } = server(new Set())
  const { result } = show()
  await waitFor(() => expect(result.current.rows).toHaveLength(1000))
  expect(result.current.sparse.total).toBe(total)
  act(() => result.current.sparse.onRange(1100, 1140))
  await waitFor(() => expect(result.current.sparse.positions.at(-1)).toBe(1999))
  expect(result.current.sparse.positions[0]).toBe(500)
  expect(fake.calls.every(({ query }) => query.get('or') !== null)).toBe(true)
})

test('a jump far down keeps the table standing while its rows are on their way', async () => {
  const { release } = server(new Set([14, 15, 16]))
  const { result } = show()
  await waitFor(() => expect(result.current.rows).toHaveLength(1000))
  act(() => result.current.sparse.onRange(7600, 7640))
  await waitFor(() => expect(result.current.rows).toEqual([]))
  expect(result.current.sparse.total).toBe(total)
  release()
  await waitFor(() => expect(result.current.rows).toHaveLength(1500))
  const at = result.current.sparse.positions.indexOf(7600)
  // Far down the ids come first and the rows follow in any order; they stand where their ids stood.
  expect(result.current.rows![at]).toMatchObject({ id: '7600', name: 'item 7600' })
})
