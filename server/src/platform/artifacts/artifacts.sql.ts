import type { Sql } from '../db/db.ts'

/** One file that a check or a step of a playbook left behind, without its content. */
export interface ArtifactRow {
  id: string
  check_id: string | null
  check_time: Date | null
  playbook_run_action_id: string | null
  path: string
  filename: string
  content_type: string | null
  size: number
  checksum: string
  created_at: Date
  expires_at: Date | null
}

export interface NewArtifact extends Omit<ArtifactRow, 'created_at'> {
  content: Uint8Array
}

const columns = `id, check_id, check_time, playbook_run_action_id, path, filename, content_type, size, checksum, created_at,
  expires_at`
/** A large file is never one value. */
const partBytes = 1024 * 1024

export async function insertArtifact(sql: Sql, artifact: NewArtifact): Promise<void> {
  const { content, ...row } = artifact
  await sql.run(
    `insert into artifacts (id, check_id, check_time, playbook_run_action_id, path, filename, content_type, size, checksum, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.id,
      row.check_id,
      row.check_time,
      row.playbook_run_action_id,
      row.path,
      row.filename,
      row.content_type,
      row.size,
      row.checksum,
      row.expires_at,
    ],
  )
  for (let part = 0; part * partBytes < content.length; part++) {
    const piece = content.subarray(part * partBytes, (part + 1) * partBytes)
    await sql.run('insert into artifact_blobs (artifact_id, part, content) values ($1, $2, $3)', [
      row.id,
      part,
      Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
    ])
  }
}

export const artifactsOfCheck = (sql: Sql, checkId: string, time: Date) =>
  sql.query<ArtifactRow>(
    `select ${columns} from artifacts where check_id = $1 and check_time = $2 and deleted_at is null order by filename, id`,
    [checkId, time],
  )

export const artifactsOfPlaybookRun = (sql: Sql, runId: string) =>
  sql.query<ArtifactRow>(
    `select ${columns} from artifacts
      where playbook_run_action_id in (select id from playbook_run_actions where playbook_run_id = $1) and deleted_at is null
      order by id`,
    [runId],
  )

export const artifactById = (sql: Sql, id: string) =>
  sql.maybeOne<ArtifactRow>(`select ${columns} from artifacts where id = $1 and deleted_at is null`, [id])

/** Piece by piece, so that a download of any size needs the memory of one. */
export async function* contentOf(sql: Sql, id: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const row = await sql.maybeOne<{ content: Buffer }>(
      'select content from artifact_blobs where artifact_id = $1 and part = $2',
      [id, part],
    )
    if (!row) return
    yield row.content
  }
}

export const hasContent = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.maybeOne('select from artifact_blobs where artifact_id = $1 limit 1', [id])) !== undefined

/** Removes the oldest files of a check until the rest fits. */
export const trimArtifactsOfCheck = (sql: Sql, checkId: string, mostBytes: number) =>
  sql.run(
    `delete from artifacts where id in (
       select id from (
         select id, sum(size::bigint) over (order by check_time desc, id) as together from artifacts where check_id = $1
       ) as newest_first where together > $2)`,
    [checkId, mostBytes],
  )
