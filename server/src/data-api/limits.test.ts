import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { defaultLimits, limitsFor } from './limits.ts'

test.each(['127.0.0.1:5432', 'localhost', '[::1]:5432'])('reads of a database at %s keep to our cores', (host) => {
  const { readsAtOnce, ...others } = limitsFor(`postgres://qd:secret@${host}/quarterdeck`)
  expect(readsAtOnce).toBe(Math.max(2, availableParallelism()))
  expect(defaultLimits).toMatchObject(others)
})

test.each(['postgres://qd:secret@db.example.test/quarterdeck', 'postgres:///quarterdeck?host=/run/postgresql', ''])(
  'a database elsewhere, or nobody knows where, has the usual limits: %s',
  (url) => expect(limitsFor(url)).toEqual(defaultLimits),
)
