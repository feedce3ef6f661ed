import { schemaOfFile } from '@quarterdeck/contract/documents'
import { z } from 'zod'
import { notFound } from '../../platform/errors.ts'
import { type Route, route, signedIn } from '../../platform/http/route.ts'

/** Schemas of documents, for completion in editors. */
export function resourceRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/schemas/:file',
      access: signedIn,
      summary: 'JSON Schema of a kind of document or of its spec, by file name',
      params: z.object({ file: z.string().max(200) }),
      output: z.record(z.string(), z.unknown()),
      handle({ params, reply }) {
        const schema = jsonSchema(params.file)
        if (!schema) throw notFound('The schema')
        return reply.header('cache-control', 'private, max-age=300').send(schema)
      },
    }),
  ]
}

const made = new Map<string, object>()

/** Schemas do not change while the process runs, and making one takes a moment. */
export function jsonSchema(file: string): object | undefined {
  const known = made.get(file)
  if (known) return known
  const found = schemaOfFile(file)
  if (!found) return undefined
  const schema = {
    // Parts used many times are written once; the checks of a canary would be four times as long otherwise.
    ...z.toJSONSchema(found.schema, { target: 'draft-7', io: 'input', unrepresentable: 'any', reused: 'ref' }),
    title: found.title,
    ...(found.description && { description: found.description }),
  }
  made.set(file, schema)
  return schema
}
