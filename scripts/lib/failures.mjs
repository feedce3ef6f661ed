// Names what failed, so that the tail of a log tells the cause and not only the count.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './say.mjs'

const listed = 50
const longest = 240

/** The failed tests of vitest's JSON report, and files that failed outside any test: unloadable, or in a hook. */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [line(file, 'failed outside its tests', message)]
    return failed.map((test) => line(file, [...test.ancestorTitles, test.title].join(' > '), test.failureMessages[0]))
  })
}

/** The failed journeys of Playwright's JSON report, and what kept it from running. */
export function playwrightFailures({ suites, errors }) {
  const failed = specs(suites, []).flatMap(({ file, titles, tests }) =>
    tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => line(`e2e/${file}`, titles.join(' > '), test.results.at(-1)?.error?.message)),
  )
  return [...failed, ...errors.map((error) => line('e2e', 'could not run', error.message))]
}

/** The files a checker complains of, wherever in its output it names them. */
export function checkFailure(name, output) {
  const places = stripVTControlCharacters(output).matchAll(/(?:[\w@.-]+\/)*[\w@.-]+\.(?:[cm]?[jt]sx?|json|css|md)\b/g)
  const files = [...new Set([...places].map(([place]) => place))]
  const more = files.length > 5 ? ` and ${files.length - 5} more` : ''
  return `${name} check${files.length > 0 ? `: ${files.slice(0, 5).join(', ')}${more}` : ''}`
}

/** One line for each failure; `failuresIn` reads them back from the output of another script. */
export function failureLines(failures) {
  const lines = failures.slice(0, listed).map((failure) => `failed: ${failure}\n`)
  if (failures.length > listed) lines.push(`failed: ${failures.length - listed} more, see above\n`)
  return lines.join('')
}

export const failuresIn = (output) => [...output.matchAll(/^failed: (.+)$/gm)].map(([, failure]) => failure)

function specs(suites, titles) {
  return suites.flatMap((suite) => {
    // The outermost suite is the file, which is named already.
    const inner = suite.title === suite.file ? titles : [...titles, suite.title]
    return [
      ...(suite.specs ?? []).map((spec) => ({ file: spec.file, titles: [...inner, spec.title], tests: spec.tests })),
      ...specs(suite.suites ?? [], inner),
    ]
  })
}

function line(file, title, message) {
  const words = stripVTControlCharacters(message ?? '').split('\n')
  const reason = words.find((word) => word.trim() !== '')?.trim()
  const text = `${file} > ${title}${reason ? `: ${reason}` : ''}`.replaceAll(/\s+/g, ' ')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
