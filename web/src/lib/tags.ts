const first = ['account', 'namespace', 'name']

/** Tags in reading order: account, namespace and name first, the rest alphabetically. */
export function sortTags(tags: Record<string, unknown> | null | undefined): [key: string, value: string][] {
  const rank = (key: string) => (first.includes(key) ? first.indexOf(key) : first.length)
  return Object.entries(tags ?? {})
    .map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)])
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}
