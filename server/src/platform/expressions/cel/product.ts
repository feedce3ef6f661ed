import { jq } from '../jq/jq.ts'
import * as args from '../library/args.ts'
import * as aws from '../library/aws.ts'
import * as chance from '../library/chance.ts'
import * as checks from '../library/checks.ts'
import * as collections from '../library/collections.ts'
import * as csv from '../library/csv.ts'
import * as data from '../library/data.ts'
import * as encoding from '../library/encoding.ts'
import * as human from '../library/human.ts'
import * as kubernetes from '../library/kubernetes.ts'
import * as numbers from '../library/numbers.ts'
import * as paths from '../library/paths.ts'
import * as regexp from '../library/regexp.ts'
import * as semver from '../library/semver.ts'
import * as texts from '../library/text.ts'
import * as times from '../library/times.ts'
import { cpuAsMillicores, memoryAsBytes } from '../../kubernetes/quantity.ts'
import type { Run } from '../run.ts'
import { fromHost, isList, keysOf, toHost, type Value } from '../values/values.ts'
import { formatText } from './format.ts'
import { Registry } from './registry.ts'

const { text, integer, list } = args
const many = Array.from({ length: 11 }, (_, count) => count)

/** A computed number in the language's types: fractions stay fractions. */
const celNumber = ({ value, whole }: numbers.Computed): Value => (whole ? BigInt(value) : value)
const int = (value: number): Value => BigInt(Math.trunc(value))

function registerData(to: Registry): void {
  const parsed = (read: (run: Run, source: Value) => unknown) => (run: Run, source: Value) =>
    fromHost(read(run, source), run)
  to.method('JSON', 0, parsed(data.json))
  to.method('JSONArray', 0, parsed(data.jsonArray))
  to.fn('JSON', 1, parsed(data.json))
  to.fn('JSONArray', 1, parsed(data.jsonArray))
  to.fn('YAML', 1, parsed(data.yaml))
  to.fn('YAMLArray', 1, parsed(data.yamlArray))
  to.fn('TOML', 1, parsed(data.toml))
  to.fn('CSV', 1, (run, lines) => csv.csv(run, lines))
  to.fn('data.CSVByRow', 1, (run, lines) => csv.csvByRow(run, lines))
  to.fn('data.CSVByColumn', 1, (run, lines) => csv.csvByColumn(run, lines))
  to.method('toJSON', 0, data.toJson)
  to.fn('toJSON', 1, data.toJson)
  to.method('toJSONPretty', 1, (run, value, indent) => data.toJsonPretty(run, text(indent), value))
  to.fn('toJSONPretty', 2, (run, indent, value) => data.toJsonPretty(run, text(indent), value))
  to.fn('toYAML', 1, data.toYaml)
  to.method('toYAML', 0, data.toYaml)
  to.fn('toTOML', 1, data.toToml)
  to.fn('toCSV', 1, (run, value) => csv.toCsv(run, value))
  to.fn('jq', 2, (run, program, input) => fromHost(jq(run, text(program), toHost(input)), run))
}

function registerCollections(to: Registry): void {
  to.method('keys', 0, (run, value) => {
    const keys = keysOf(args.map(value))
    run.spend(keys.length)
    return keys.every((key) => typeof key === 'string') ? collections.sortedKeys(value) : keys
  })
  to.method('values', 0, (_, value) => collections.values(value))
  to.method('merge', 1, (run, left, right) => collections.merge(run, left, right))
  to.method('pick', 1, (run, value, keys) => collections.pick(run, list(keys), value))
  to.method('omit', 1, (run, value, keys) => collections.omit(run, list(keys), value))
  to.fn('Dict', 1, (_, pairs) => collections.dict(list(pairs)))
  to.method('uniq', 0, collections.uniq)
  to.method('sortBy', 1, (run, value, field) => collections.sort(run, value, text(field)))
  to.fn('Append', 2, collections.append)
  to.fn('Prepend', 2, collections.prepend)
  to.fn('Has', 2, collections.has)
}

function registerTimes(to: Registry): void {
  to.fn('Duration', 1, (_, value) => args.duration(value))
  to.fn('Age', 1, times.age)
  to.fn('age', 1, times.age)
  to.fn('now', 0, times.now)
  to.fn('time.Now', 0, times.now)
  to.fn('time.Parse', 2, (_, layout, value) => times.parseTime(text(layout), text(value)))
  to.fn('time.ParseLocal', 2, (_, layout, value) => times.parseLocal(text(layout), text(value)))
  to.fn('time.ParseInLocation', 3, (_, layout, zone, value) =>
    times.parseInLocation(text(layout), text(zone), text(value)),
  )
  to.fn('time.ParseDuration', 1, (_, value) => args.duration(text(value)))
  to.fn('time.Since', 1, times.since)
  to.fn('time.Until', 1, times.until)
  to.fn('time.Unix', 1, (_, value) => times.unix(value))
  to.fn('time.ZoneName', 0, times.zoneName)
  to.fn('time.ZoneOffset', 0, (run) => int(times.zoneOffset(run)))
  for (const unit of times.timeUnits) to.fn(`time.${unit}`, 1, (_, count) => times.units(unit, count))
  to.method('format', 1, (run, receiver: Value, given: Value) =>
    typeof receiver === 'string' ? formatText(run, receiver, given) : args.moment(receiver).format(text(given)),
  )
  to.fn('HumanDuration', 1, (_, value) => human.humanDuration(value))
  to.fn('HumanSize', 1, (_, value) => human.humanSize(value))
  to.fn('Semver', 1, (run, value) => fromHost(semver.parseSemver(text(value)), run))
  to.fn('SemverCompare', 2, (_, constraint, version) => semver.satisfies(text(constraint), text(version)))
}

function registerTexts(to: Registry): void {
  const simple = (name: string, work: (value: string) => Value) =>
    to.method(name, 0, (run, value) => {
      const given = text(value)
      run.spendText(given.length * 4)
      return work(given)
    })
  simple('camelCase', texts.camelCase)
  simple('kebabCase', texts.kebabCase)
  simple('snakeCase', texts.snakeCase)
  simple('slug', texts.slug)
  simple('title', texts.title)
  simple('toLower', (value) => value.toLowerCase())
  simple('toUpper', (value) => value.toUpperCase())
  simple('trimSpace', (value) => value.trim())
  simple('quote', texts.quote)
  simple('squote', texts.squote)
  simple('runeCount', (value) => int(texts.runeCount(value)))
  to.method('abbrev', [1, 2], (run, value, first, second?: Value) => {
    run.spendText(text(value).length)
    return second === undefined
      ? texts.abbrev(0, integer(first), text(value))
      : texts.abbrev(integer(first), integer(second), text(value))
  })
  to.method('trimPrefix', 1, (_, value, prefix) => texts.trimPrefix(text(prefix), text(value)))
  to.method('trimSuffix', 1, (_, value, suffix) => texts.trimSuffix(text(suffix), text(value)))
  to.method(
    'trunc',
    1,
    (run, value, count) => (run.spendText(text(value).length), texts.trunc(integer(count), text(value))),
  )
  to.method('indent', [0, 1, 2], (run, value, first?: Value, second?: Value) => {
    if (second !== undefined) return texts.indent(run, integer(first), text(second), text(value))
    return typeof first === 'string'
      ? texts.indent(run, 1, first, text(value))
      : texts.indent(run, first === undefined ? 1 : integer(first), ' ', text(value))
  })
  to.method('shellQuote', 0, (_, value) => texts.shellQuote(value))
  to.method('repeat', 1, (run, value, count) => texts.repeat(run, integer(count), text(value)))
  to.method('replaceAll', 2, (run, value, from, to) => texts.replaceAll(run, text(from), text(to), text(value)))
  to.method('sort', 0, (run, value) => {
    if (isList(value)) return collections.sort(run, value)
    run.spendText(text(value).length * 8)
    return [...text(value)].sort().join('')
  })
  to.method('wordWrap', [0, 1, 2], (run, value, width?: Value, separator?: Value) =>
    texts.wordWrap(
      run,
      width === undefined ? 80 : integer(width),
      separator === undefined ? '\n' : text(separator),
      text(value),
    ),
  )
  to.fn('SplitN', 3, (run, separator, count, value) => texts.splitN(run, text(separator), integer(count), text(value)))
  to.fn('Contains', 2, (run, part, value) => (run.spendText(text(value).length), text(value).includes(text(part))))
  to.fn('urlencode', 1, encoding.urlEncode)
  to.fn('urldecode', 1, encoding.urlDecode)
}

function registerPaths(to: Registry): void {
  const path = (name: string, work: (value: string) => Value) =>
    to.fn(`filepath.${name}`, 1, (_, value) => work(text(value)))
  path('Base', paths.base)
  path('Clean', paths.clean)
  path('Dir', paths.dir)
  path('Ext', paths.ext)
  path('FromSlash', (value) => value)
  path('ToSlash', (value) => value)
  path('IsAbs', paths.isAbs)
  path('Split', (value) => paths.split(value))
  path('VolumeName', () => '')
  to.fn('filepath.Join', 1, (_, parts) => paths.join(args.texts(parts)))
  to.fn('filepath.Match', 2, (run, pattern, name) => paths.match(run, text(pattern), text(name)))
  to.fn('filepath.Rel', 2, (_, from, target) => paths.rel(text(from), text(target)))
}

function registerNumbers(to: Registry): void {
  to.fn('math.Abs', 1, (_, value) => celNumber(numbers.abs(value)))
  to.fn('math.Add', many, (_, ...values: Value[]) => celNumber(numbers.add(spread(values))))
  to.fn('math.Mul', many, (_, ...values: Value[]) => celNumber(numbers.multiply(spread(values))))
  to.fn('math.Sub', 2, (_, left, right) => celNumber(numbers.subtract(left, right)))
  to.fn('math.Div', 2, (_, left, right) => celNumber(numbers.divide(left, right)))
  to.fn('math.Rem', 2, (_, left, right) => celNumber(numbers.remainder(left, right)))
  to.fn('math.Pow', 2, (_, base, exponent) => celNumber(numbers.power(base, exponent)))
  to.fn('math.Ceil', 1, (_, value) => celNumber(numbers.ceil(value)))
  to.fn('math.Floor', 1, (_, value) => celNumber(numbers.floor(value)))
  to.fn('math.Round', 1, (_, value) => celNumber(numbers.round(value)))
  to.fn('math.IsInt', 1, (_, value) => numbers.isInt(value))
  to.fn('math.IsFloat', 1, (_, value) => numbers.isFloat(value))
  to.fn('math.IsNum', 1, (_, value) => numbers.isNum(value))
  to.fn('math.Seq', [1, 2, 3], (run, ...values: Value[]) => numbers.seq(run, spread(values)).map(int))
}

/** Arguments may come one by one or as one list. */
const spread = (values: Value[]): Value[] => (values.length === 1 && isList(values[0]) ? values[0] : values)

function registerChance(to: Registry): void {
  to.fn('random.ASCII', 1, chance.randomAscii)
  to.fn('random.Alpha', 1, chance.randomAlpha)
  to.fn('random.AlphaNum', 1, chance.randomAlnum)
  to.fn('random.String', [1, 2, 3], (run, count, ...set: Value[]) => {
    const [lower, upper] = set.length === 1 && isList(set[0]) ? set[0] : set
    return chance.randomText(run, count, lower, upper)
  })
  to.fn('random.Item', 1, (_, value) => chance.randomItem(value))
  to.fn('random.Number', [0, 1, 2], (_, ...values: Value[]) => int(chance.randomNumber(...values)))
  to.fn('random.Float', [0, 1, 2], (_, ...values: Value[]) => chance.randomFloat(...values))
  to.fn('uuid.V1', 0, chance.uuidV1)
  to.fn('uuid.V4', 0, () => chance.uuidV4())
  to.fn('uuid.Nil', 0, () => chance.uuidNil())
  to.fn('uuid.IsValid', 1, (_, value) => chance.uuidIsValid(value))
  to.fn('uuid.Parse', 1, (_, value) => chance.uuidParse(value))
  for (const name of Object.keys(encoding.digests) as encoding.Digest[]) {
    to.fn(`crypto.${name}`, 1, (run, value) => encoding.digest(run, name, value).toString('hex'))
    to.fn(`crypto.${name}Bytes`, 1, (run, value) => new Uint8Array(encoding.digest(run, name, value)))
  }
}

function registerChecks(to: Registry): void {
  to.fn('regexp.Find', 2, (run, pattern, value) => regexp.find(run, text(pattern), text(value)))
  to.fn('regexp.FindAll', [2, 3], (run, pattern, ...rest: Value[]) =>
    rest.length === 2
      ? regexp.findAll(run, text(pattern), text(rest[1]), integer(rest[0]))
      : regexp.findAll(run, text(pattern), text(rest[0])),
  )
  to.fn('regexp.Match', 2, (run, pattern, value) => regexp.matches(run, text(pattern), text(value)))
  to.fn('regexp.QuoteMeta', 1, (_, value) => regexp.quoteMeta(text(value)))
  to.fn('regexp.Replace', 3, (run, pattern, by, value) => regexp.replace(run, text(pattern), text(by), text(value)))
  to.fn('regexp.ReplaceLiteral', 3, (run, pattern, by, value) =>
    regexp.replaceLiteral(run, text(pattern), text(by), text(value)),
  )
  to.fn('regexp.Split', [2, 3], (run, pattern, ...rest: Value[]) =>
    rest.length === 2
      ? regexp.split(run, text(pattern), text(rest[1]), integer(rest[0]))
      : regexp.split(run, text(pattern), text(rest[0])),
  )
  to.fn('test.Assert', [1, 2], (_, ...values: Value[]) =>
    values.length === 2 ? checks.assert(text(values[0]), values[1]) : checks.assert('', values[0]),
  )
  to.fn('test.Fail', [0, 1], (_, message = '' as Value) => checks.fail(text(message)))
  to.fn('test.IsKind', 2, (_, kind, value) => checks.isKind(text(kind), value))
  to.fn('test.Kind', 1, (_, value) => checks.kind(value))
  to.fn('test.Required', [1, 2], (_, ...values: Value[]) =>
    values.length === 2 ? checks.required(text(values[0]), values[1]) : checks.required('', values[0]),
  )
  to.fn('test.Ternary', 3, (_, yes, no, condition) => checks.ternary(yes, no, condition))
}

function registerClouds(to: Registry): void {
  for (const prefix of ['', 'aws.']) {
    to.fn(`${prefix}arnToMap`, 1, (_, arn) => aws.arnToMap(arn))
    to.fn(`${prefix}fromAWSMap`, 1, (_, pairs) => aws.fromAwsMap(pairs))
  }
  for (const name of ['k8s.isHealthy', 'k8s.is_healthy', 'IsHealthy']) to.fn(name, 1, kubernetes.isHealthy)
  for (const name of ['k8s.isReady', 'k8s.is_ready', 'IsReady']) to.fn(name, 1, kubernetes.isReady)
  for (const name of ['k8s.getHealth', 'k8s.get_health', 'GetHealth']) to.fn(name, 1, kubernetes.getHealth)
  for (const name of ['k8s.getStatus', 'k8s.get_status', 'GetStatus']) to.fn(name, 1, kubernetes.getStatus)
  to.fn('k8s.neat', [1, 2], (run, value, format?: Value) =>
    fromHost(kubernetes.neat(run, value, format === undefined ? 'same' : text(format)), run),
  )
  to.fn('k8s.cpuAsMillicores', 1, (_, value) => int(cpuAsMillicores(value)))
  to.fn('k8s.memoryAsBytes', 1, (_, value) => int(memoryAsBytes(value)))
  to.fn('k8s.labels', 1, kubernetes.labels)
  to.fn('k8s.podProperties', 1, (run, value) => fromHost(kubernetes.pod(run, value), run))
  to.fn('k8s.nodeProperties', 1, (run, value) => fromHost(kubernetes.node(run, value), run))
  for (const name of ['k8s.getResourcesLimit', 'k8s.getResourcesLimits']) {
    to.fn(name, 2, (run, value, resource) => int(kubernetes.resources(run, value, 'limits', text(resource))))
  }
  for (const name of ['k8s.getResourcesRequests', 'k8s.getResourcesRequest']) {
    to.fn(name, 2, (run, value, resource) => int(kubernetes.resources(run, value, 'requests', text(resource))))
  }
}

/** Functions only the server can answer, with how many arguments they take. */
export const hostFunctions: Record<string, number[]> = {
  'catalog.traverse': [2, 3],
  catalog_traverse: [2, 3],
  last_result: [0],
  getLastAction: [0],
  getAction: [1],
  always: [0],
  failure: [0],
  success: [0],
  skip: [0],
  timeout: [0],
}

function registerHost(to: Registry): void {
  for (const [name, arities] of Object.entries(hostFunctions)) {
    to.fn(name, arities, (run, ...values: Value[]) =>
      fromHost(
        run.host(
          name,
          values.map((value) => toHost(value)),
        ),
        run,
      ),
    )
  }
}

/** The language with everything the product adds. */
export function productRegistry(standard: Registry): Registry {
  const registry = new Registry(standard)
  registerData(registry)
  registerCollections(registry)
  registerTimes(registry)
  registerTexts(registry)
  registerPaths(registry)
  registerNumbers(registry)
  registerChance(registry)
  registerChecks(registry)
  registerClouds(registry)
  registerHost(registry)
  return registry
}
