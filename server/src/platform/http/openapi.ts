import { ErrorBody } from '@quarterdeck/contract/errors'
import { z } from 'zod'
import { describeAccess } from './access.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

/** The routes outside the data API as an OpenAPI 3.1 document. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Quarterdeck', version, description: 'Calls outside the data API, which lives under /api/db.' },
    paths,
    components: { schemas: { Error: schemaOf(ErrorBody, 'output') } },
  }
}

function operation(route: Route): Json {
  const wrong = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  const input = route.params ?? route.query ?? route.body
  return {
    summary: route.summary,
    tags: [route.path.split('/')[1]],
    'x-access': describeAccess(route.access),
    parameters: [...parametersOf(route, 'path'), ...parametersOf(route, 'query')],
    ...(route.body && { requestBody: { content: { 'application/json': { schema: schemaOf(route.body, 'input') } } } }),
    responses: {
      200: {
        description: 'Done',
        ...(route.output && { content: { 'application/json': { schema: schemaOf(route.output, 'output') } } }),
      },
      ...(input && { 400: { description: 'The input is not valid', ...wrong } }),
      ...(route.access.kind !== 'public' && {
        401: { description: 'Nobody is signed in', ...wrong },
        403: { description: 'Not allowed', ...wrong },
      }),
    },
  }
}

function parametersOf(route: Route, where: 'path' | 'query'): Json[] {
  const schema = where === 'path' ? route.params : route.query
  const described = schema
    ? (schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] })
    : {}
  const named = where === 'path' ? [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!) : []
  const names = new Set([...named, ...Object.keys(described.properties ?? {})])
  return [...names].map((name) => ({
    name,
    in: where,
    required: where === 'path' || (described.required?.includes(name) ?? false),
    schema: described.properties?.[name] ?? { type: 'string' },
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
