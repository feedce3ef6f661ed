import { expect, test } from 'vitest'
import { routesOf } from './app.ts'
import { describeAccess } from './platform/http/access.ts'
import { methodFinder } from './platform/http/methods.ts'
import { openApi } from './platform/http/openapi.ts'

/** Every route with what it asks for, so that a new one, or a changed right, shows in review. */
test('the list of routes', async () => {
  const lines = routesOf('full').map(
    ({ method, path, access }) => `${method.padEnd(6)} ${path}  [${describeAccess(access)}]`,
  )
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('routes.txt')
})

test('no two routes share method and path', () => {
  const names = routesOf('full').map(({ method, path }) => `${method} ${path}`)
  expect(names).toEqual([...new Set(names)])
})

test('every route says what it does', () => {
  expect(routesOf('full').filter(({ summary }) => summary.length < 5)).toEqual([])
})

test('the wrong method is told from the wrong address', () => {
  const methodsOf = methodFinder(routesOf('full'))
  expect(methodsOf('/auth/whoami')).toEqual(['GET', 'HEAD'])
  expect(methodsOf('/auth/whoami/else')).toEqual([])
  expect(methodsOf('/v1/openapi_json')).toEqual([])
})

test('every route is described in OpenAPI, with its input', () => {
  const routes = routesOf('full')
  const document = openApi(routes, '1') as { paths: Record<string, Record<string, { parameters: { name: string }[] }>> }
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(described).toHaveLength(routes.length)
  expect(document.paths['/api/auth/whoami']).toHaveProperty('get.summary')
  for (const path of Object.keys(document.paths)) {
    for (const operation of Object.values(document.paths[path]!)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).filter((name) => name !== 'rest')
      expect(operation.parameters.map((parameter) => parameter.name)).toEqual(expect.arrayContaining(named))
    }
  }
})
