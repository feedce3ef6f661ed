import { XMLValidator } from 'fast-xml-parser'
import { record, records } from '../../../platform/kubernetes/object.ts'
import { readXml } from '../../../platform/clients/xml.ts'

export interface JunitTest {
  name: string
  classname: string
  duration: number
  status: 'passed' | 'failed' | 'skipped' | 'error'
  message: string
  error: string
  properties: Record<string, string>
  stdout: string
  stderr: string
}

export interface JunitTotals {
  passed: number
  failed: number
  skipped: number
  error: number
  /** Seconds. */
  duration: number
}

export type JunitSuite = JunitTotals & { name: string; tests: JunitTest[] }

/** All suites of a JUnit XML file, those inside others included. */
export function readJunit(xml: string): JunitSuite[] {
  const valid = XMLValidator.validate(xml)
  if (valid !== true) throw new Error(`not XML: ${valid.err.msg} in line ${valid.err.line}`)
  const root = readXml(xml, ['testsuite', 'testcase', 'property', 'failure', 'error'])
  const top = root.testsuites !== undefined ? record(root.testsuites).testsuite : root.testsuite
  if (root.testsuites === undefined && root.testsuite === undefined) throw new Error('there is no testsuite in it')
  return records(top).flatMap(suitesIn)
}

function suitesIn(node: Record<string, unknown>): JunitSuite[] {
  const inner = records(node.testsuite).flatMap(suitesIn)
  const tests = records(node.testcase).map(testOf)
  if (tests.length === 0 && inner.length > 0) return inner
  const count = (status: JunitTest['status']) => tests.filter((test) => test.status === status).length
  const duration = Number(node['@time']) || tests.reduce((sum, test) => sum + test.duration, 0)
  const suite = {
    name: text(node['@name']),
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    error: count('error'),
    duration,
    tests,
  }
  return [suite, ...inner]
}

function testOf(node: Record<string, unknown>): JunitTest {
  const failure = first(node.failure)
  const broken = first(node.error)
  const status =
    broken !== undefined ? 'error' : failure !== undefined ? 'failed' : 'skipped' in node ? 'skipped' : 'passed'
  const reason = broken ?? failure ?? (status === 'skipped' ? node.skipped : undefined)
  const properties = records(record(node.properties).property).map(
    (each) => [text(each['@name']), text(each['@value'] ?? each['#text'])] as const,
  )
  return {
    name: text(node['@name']),
    classname: text(node['@classname']),
    duration: Number(node['@time']) || 0,
    status,
    message: text(record(reason)['@message']),
    error:
      status === 'failed' || status === 'error'
        ? text(typeof reason === 'string' ? reason : record(reason)['#text'])
        : '',
    properties: Object.fromEntries(properties),
    stdout: text(node['system-out']),
    stderr: text(node['system-err']),
  }
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? text(record(value)['#text']) : String(value)

export function totalsOf(suites: readonly JunitTotals[]): JunitTotals {
  const sum = (key: keyof JunitTotals) => suites.reduce((all, suite) => all + suite[key], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    error: sum('error'),
    duration: sum('duration'),
  }
}
