/** The documentation that comes with the product, by file name; each document loads when it is opened. */
const files = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' })

export interface Document {
  name: string
  title: string
  load: () => Promise<string>
}

// What people who run the product look for first; documents about its inside come after.
const order = [
  'operations',
  'resources',
  'identity',
  'jobs',
  'data-api',
  'errors',
  'performance',
  'architecture',
  'schema',
  'testing',
]

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
const titles: Record<string, string> = {
  operations: 'Operating Quarterdeck',
  resources: 'Resources as files',
  identity: 'Sign-in and people',
  jobs: 'Background work',
  'data-api': 'Data API',
  schema: 'Database schema',
}

export const documents: Document[] = Object.entries(files)
  .map(([path, load]) => {
    const name = /([^/]+)\.md$/.exec(path)![1]!
    return { name, title: titles[name] ?? titleOf(name), load }
  })
  .sort((a, b) => place(a.name) - place(b.name) || a.name.localeCompare(b.name))

function place(name: string): number {
  const at = order.indexOf(name)
  return at === -1 ? order.length : at
}
