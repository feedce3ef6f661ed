import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  artifactById,
  type ArtifactRow,
  artifactsOfCheck,
  artifactsOfPlaybookRun,
  contentOf,
  hasContent,
} from '../../platform/artifacts/artifacts.sql.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { read, type Route, route } from '../../platform/http/route.ts'

const id = z.object({ id: z.uuid() })
const Artifact = z.object({
  id: z.uuid(),
  filename: z.string(),
  path: z.string(),
  content_type: z.string().nullable(),
  size: z.number(),
  checksum: z.string(),
  created_at: z.date(),
  expires_at: z.date().nullable(),
})
const shown = (rows: ArtifactRow[]): z.infer<typeof Artifact>[] =>
  rows.map(({ check_id: _, check_time: __, playbook_run_action_id: ___, ...row }) => row)

/** Files that runs of checks and playbooks left behind. */
export const artifactRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/artifacts/list/check/:id/:time',
    access: read('canaries'),
    summary: 'Files of one run of a check',
    params: id.extend({ time: z.string() }),
    output: z.array(Artifact),
    async handle({ ctx, params }) {
      const time = Date.parse(params.time)
      if (Number.isNaN(time)) throw badRequest(`time is invalid: "${params.time.slice(0, 80)}"`)
      return shown(await artifactsOfCheck(ctx.db, params.id, new Date(Math.floor(time / 1000) * 1000)))
    },
  }),
  route({
    method: 'GET',
    path: '/artifacts/list/playbook_run/:id',
    access: read('playbook_runs'),
    summary: 'Files of one run of a playbook',
    params: id,
    output: z.array(Artifact),
    handle: async ({ ctx, params }) => shown(await artifactsOfPlaybookRun(ctx.db, params.id)),
  }),
  route({
    method: 'GET',
    path: '/artifacts/download/:id',
    access: read('database'),
    summary: 'Content of one file',
    params: id,
    async handle({ ctx, params, reply }) {
      const artifact = await artifactById(ctx.db, params.id)
      if (!artifact) throw notFound(`artifact (${params.id})`)
      if (artifact.size > 0 && !(await hasContent(ctx.db, params.id)))
        throw notFound('The content of this artifact is not kept here; it')
      return reply
        .type(artifact.content_type ?? 'application/octet-stream')
        .header('content-length', artifact.size)
        .header('content-disposition', attachment(artifact.filename))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=86400, immutable')
        .send(Readable.from(contentOf(ctx.db, params.id)))
    },
  }),
]

/** Always a download: a script's HTML must never run as a page of the console. */
function attachment(path: string): string {
  const name = path.split('/').at(-1) ?? 'file'
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
}
