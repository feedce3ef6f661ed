import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiVersions, type DocumentKind, documentKinds } from '@quarterdeck/contract/documents'
import { stringify } from 'yaml'
import type { Context } from '../../context.ts'
import { StartupError } from '../../platform/errors.ts'
import { kindStores } from './kinds/all.ts'
import { compact, type KindStore } from './kinds/kind-store.ts'
import { allRecords, type FileRecord, liveRows, type StoredRow } from './resources.sql.ts'
import { openColumns, seal } from './secrets.ts'

export interface ExportRequest {
  /** Kinds as typed; all when none. */
  kinds?: readonly string[]
  /** Folder to write one file per document to; without it everything goes to `print`. */
  folder?: string
}

interface ExportedDocument {
  kind: DocumentKind
  metadata: { name: string; namespace?: string }
}

/** The resources of this server as documents. Secrets are sealed with this server's key: it can read them back, nobody else can. */
export async function exportDocuments(
  ctx: Context,
  kinds: readonly DocumentKind[] = documentKinds,
): Promise<ExportedDocument[]> {
  const documents: ExportedDocument[] = []
  const called = new Map((await allRecords(ctx.db)).map((record) => [record.resource_id, record]))
  for (const store of kindStores) {
    if (!kinds.includes(store.kind)) continue
    for (const row of await liveRows(ctx.db, store))
      documents.push(await exportRow(ctx, store, row, called.get(row.id)))
  }
  return documents
}

async function exportRow(
  ctx: Context,
  store: KindStore,
  row: StoredRow,
  record: FileRecord | undefined,
): Promise<ExportedDocument> {
  const { metadata, spec } = await store.toDocument(openColumns(ctx.secrets, store, row), { sql: ctx.db, ctx })
  return {
    apiVersion: apiVersions[store.kind],
    kind: store.kind,
    metadata: compact({
      // A notification's row does not know what its document was called.
      name: record?.name ?? metadata.name,
      namespace: record ? record.namespace || undefined : metadata.namespace,
      uid: row.id,
      labels: metadata.labels,
      annotations: metadata.annotations,
    }),
    spec: seal(ctx.secrets, spec),
  } as unknown as ExportedDocument
}

/** What `quarterdeck export` does; returns the exit code. */
export async function exportCommand(
  ctx: Context,
  request: ExportRequest,
  print: (line: string) => void,
): Promise<number> {
  const documents = await exportDocuments(ctx, request.kinds?.length ? request.kinds.map(kindNamed) : documentKinds)
  const text = (document: ExportedDocument) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
  if (request.folder === undefined) {
    if (documents.length > 0) print(documents.map(text).join('---\n').trimEnd())
    return 0
  }
  await mkdir(request.folder, { recursive: true })
  const taken = new Set<string>()
  for (const document of documents) await writeFile(join(request.folder, fileName(document, taken)), text(document))
  print(`${documents.length} ${documents.length === 1 ? 'document' : 'documents'} written to ${request.folder}`)
  return 0
}

function kindNamed(word: string): DocumentKind {
  const found = documentKinds.find((kind) => kind.toLowerCase() === word.toLowerCase().replaceAll(/[-_]/g, ''))
  if (!found) throw new StartupError(`There is no kind "${word}". Kinds are ${documentKinds.join(', ')}.`)
  return found
}

function fileName({ kind, metadata }: ExportedDocument, taken: Set<string>): string {
  const plain = [kind.toLowerCase(), metadata.namespace, metadata.name]
    .filter(Boolean)
    .map((part) => part!.replaceAll(/[^\w.-]+/g, '_'))
    .join('-')
    .slice(0, 200)
  for (let number = 1; ; number++) {
    const name = `${plain}${number === 1 ? '' : `-${number}`}.yaml`
    if (!taken.has(name.toLowerCase())) {
      taken.add(name.toLowerCase())
      return name
    }
  }
}
