/** What a command found or made: standard output, so that it can be piped. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What the person should know beside it: standard error. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Aligned columns with a heading; nothing but words when there are no rows. */
export function printTable(heading: string[], rows: string[][], empty: string): void {
  if (rows.length === 0) return tell(empty)
  const widths = heading.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of [heading, ...rows]) {
    print(row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join('  '))
  }
}

/** The first line given on standard input. */
export async function readLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split(/\r?\n/)[0] ?? ''
}
