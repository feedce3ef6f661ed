import { cpuAsMillicores, memoryAsBytes } from '../../kubernetes/quantity.ts'
import { ValueError } from '../errors.ts'
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
import { toHost, UrlValue, type Value } from '../values/values.ts'
import { sliceOf } from './builtins.ts'
import type { TemplateFunction } from './execute.ts'

const { text, integer, truthy, isEmpty } = args
type Group = Record<string, TemplateFunction>

/** The value a pipe hands over comes last; what stands before it is optional where `before` says so. */
const last = (values: Value[]): Value => values.at(-1)
const plain = ({ value }: numbers.Computed) => value
const onText =
  (work: (value: string) => Value): TemplateFunction =>
  (run, value) => {
    run.spendText(text(value).length * 4)
    return work(text(value))
  }

const strings: Group = {
  Abbrev: (_, ...all) =>
    all.length === 3
      ? texts.abbrev(integer(all[0]), integer(all[1]), text(all[2]))
      : texts.abbrev(0, integer(all[0]), text(all[1])),
  CamelCase: onText(texts.camelCase),
  SnakeCase: onText(texts.snakeCase),
  KebabCase: onText(texts.kebabCase),
  Contains: (run, part, value) =>
    Array.isArray(value) ? collections.has(run, value, part) : text(value).includes(text(part)),
  HasPrefix: (_, prefix, value) => text(value).startsWith(text(prefix)),
  HasSuffix: (_, suffix, value) => text(value).endsWith(text(suffix)),
  Indent: (run, ...all) => {
    if (all.length === 3) return texts.indent(run, integer(all[0]), text(all[1]), text(all[2]))
    if (all.length === 1) return texts.indent(run, 1, ' ', text(all[0]))
    return typeof all[0] === 'string'
      ? texts.indent(run, 1, all[0], text(all[1]))
      : texts.indent(run, integer(all[0]), ' ', text(all[1]))
  },
  Quote: onText(texts.quote),
  Squote: onText(texts.squote),
  ShellQuote: (_, value) => texts.shellQuote(value),
  Repeat: (run, count, value) => texts.repeat(run, integer(count), text(value)),
  ReplaceAll: (run, from, to, value) => texts.replaceAll(run, text(from), text(to), text(value)),
  RuneCount: (_, ...all) => texts.runeCount(all.map(text).join('')),
  Slug: onText(texts.slug),
  Sort: (_, value) => texts.sortTexts(value),
  Split: (run, separator, value) => texts.splitN(run, text(separator), -1, text(value)),
  SplitN: (run, separator, count, value) => texts.splitN(run, text(separator), integer(count), text(value)),
  Title: onText(texts.title),
  ToLower: onText((value) => value.toLowerCase()),
  ToUpper: onText((value) => value.toUpperCase()),
  Trim: (_, cutset, value) => texts.trimCutset(text(cutset), text(value)),
  TrimLeft: (_, cutset, value) => texts.trimCutset(text(cutset), text(value), 'start'),
  TrimRight: (_, cutset, value) => texts.trimCutset(text(cutset), text(value), 'end'),
  TrimPrefix: (_, prefix, value) => texts.trimPrefix(text(prefix), text(value)),
  TrimSuffix: (_, suffix, value) => texts.trimSuffix(text(suffix), text(value)),
  TrimSpace: onText((value) => value.trim()),
  Trunc: (_, count, value) => texts.trunc(integer(count), text(value)),
  WordWrap: (run, ...all) => {
    const width = all.length > 1 && typeof all[0] !== 'string' ? integer(all[0]) : 80
    const separator = all.length === 3 ? text(all[1]) : all.length === 2 && typeof all[0] === 'string' ? all[0] : '\n'
    return texts.wordWrap(run, width, separator, text(last(all)))
  },
}

const math: Group = {
  Abs: (_, value) => plain(numbers.abs(value)),
  Add: (_, ...all) => plain(numbers.add(all)),
  Ceil: (_, value) => plain(numbers.ceil(value)),
  Div: (_, left, right) => plain(numbers.divide(left, right)),
  Floor: (_, value) => plain(numbers.floor(value)),
  IsFloat: (_, value) => numbers.isFloat(value),
  IsInt: (_, value) => numbers.isInt(value),
  IsNum: (_, value) => numbers.isNum(value),
  Max: (_, ...all) => plain(numbers.greatest(all)),
  Min: (_, ...all) => plain(numbers.smallest(all)),
  Mul: (_, ...all) => plain(numbers.multiply(all)),
  Pow: (_, base, exponent) => plain(numbers.power(base, exponent)),
  Rem: (_, left, right) => plain(numbers.remainder(left, right)),
  Round: (_, value) => plain(numbers.round(value)),
  Seq: (run, ...all) => numbers.seq(run, all),
  Sub: (_, left, right) => plain(numbers.subtract(left, right)),
}

const time: Group = {
  Now: (run) => times.now(run),
  Parse: (_, layout, value) => times.parseTime(text(layout), text(value)),
  ParseLocal: (_, layout, value) => times.parseLocal(text(layout), text(value)),
  ParseInLocation: (_, layout, zone, value) => times.parseInLocation(text(layout), text(zone), text(value)),
  ParseDuration: (_, value) => args.duration(text(value)),
  Since: (run, value) => times.since(run, value),
  Until: (run, value) => times.until(run, value),
  Unix: (_, value) => times.unix(value),
  ZoneName: (run) => times.zoneName(run),
  ZoneOffset: (run) => times.zoneOffset(run),
  ...Object.fromEntries(
    times.timeUnits.map((unit): [string, TemplateFunction] => [unit, (_, count = 1) => times.units(unit, count)]),
  ),
}

const regexpGroup: Group = {
  Find: (run, pattern, value) => regexp.find(run, text(pattern), text(value)),
  FindAll: (run, pattern, ...rest) =>
    regexp.findAll(run, text(pattern), text(last(rest)), rest.length === 2 ? integer(rest[0]) : -1),
  Match: (run, pattern, value) => regexp.matches(run, text(pattern), text(value)),
  QuoteMeta: (_, value) => regexp.quoteMeta(text(value)),
  Replace: (run, pattern, by, value) => regexp.replace(run, text(pattern), text(by), text(value)),
  ReplaceLiteral: (run, pattern, by, value) => regexp.replaceLiteral(run, text(pattern), text(by), text(value)),
  Split: (run, pattern, ...rest) =>
    regexp.split(run, text(pattern), text(last(rest)), rest.length === 2 ? integer(rest[0]) : -1),
}

const path: Group = {
  Base: (_, value) => paths.base(text(value)),
  Clean: (_, value) => paths.clean(text(value)),
  Dir: (_, value) => paths.dir(text(value)),
  Ext: (_, value) => paths.ext(text(value)),
  IsAbs: (_, value) => paths.isAbs(text(value)),
  Join: (_, ...parts) => paths.join(parts.flat().map(text)),
  Match: (run, pattern, name) => paths.match(run, text(pattern), text(name)),
  Split: (_, value) => paths.split(text(value)),
}
const filepath: Group = {
  ...path,
  FromSlash: (_, value) => text(value),
  ToSlash: (_, value) => text(value),
  Rel: (_, from, to) => paths.rel(text(from), text(to)),
  VolumeName: () => '',
}

const uuid: Group = {
  V1: (run) => chance.uuidV1(run),
  V4: () => chance.uuidV4(),
  Nil: () => chance.uuidNil(),
  IsValid: (_, value) => chance.uuidIsValid(value),
  Parse: (_, value) => chance.uuidParse(value),
}

const random: Group = {
  ASCII: (run, count) => chance.randomAscii(run, count),
  Alpha: (run, count) => chance.randomAlpha(run, count),
  AlphaNum: (run, count) => chance.randomAlnum(run, count),
  String: (run, count, lower, upper) => chance.randomText(run, count, lower, upper),
  Item: (_, value) => chance.randomItem(value),
  Number: (_, ...all) => chance.randomNumber(...all),
  Float: (_, ...all) => chance.randomFloat(...all),
}

const crypto: Group = Object.fromEntries(
  (Object.keys(encoding.digests) as encoding.Digest[]).flatMap((name): [string, TemplateFunction][] => [
    [name, (run, value) => encoding.digest(run, name, value).toString('hex')],
    [`${name}Bytes`, (run, value) => new Uint8Array(encoding.digest(run, name, value))],
  ]),
)

const delimiterOf = (values: Value[]) => (values.length > 1 ? text(values[0]) : ',')
const dataGroup: Group = {
  JSON: (run, value) => data.json(run, value),
  JSONArray: (run, value) => data.jsonArray(run, value),
  YAML: (run, value) => data.yaml(run, value),
  YAMLArray: (run, value) => data.yamlArray(run, value),
  TOML: (run, value) => data.toml(run, value),
  CSV: (run, ...all) => csv.csv(run, last(all), delimiterOf(all)),
  CSVByRow: (run, ...all) => csv.csvByRow(run, last(all), delimiterOf(all), all.length > 2 ? all[1] : undefined),
  CSVByColumn: (run, ...all) => csv.csvByColumn(run, last(all), delimiterOf(all), all.length > 2 ? all[1] : undefined),
  ToJSON: (run, value) => data.toJson(run, value),
  ToJSONPretty: (run, indent, value) => data.toJsonPretty(run, text(indent), value),
  ToYAML: (run, value) => data.toYaml(run, value),
  ToTOML: (run, value) => data.toToml(run, value),
  ToCSV: (run, ...all) => csv.toCsv(run, last(all), delimiterOf(all)),
}

const coll: Group = {
  Append: (run, item, value) => collections.append(run, item, value),
  Prepend: (run, item, value) => collections.prepend(run, item, value),
  Dict: (_, ...pairs) => collections.dict(pairs),
  Slice: (_, ...items) => items,
  GoSlice: (run, value, ...edges) => sliceOf(run, value, ...edges),
  Flatten: (run, ...all) => collections.flatten(run, last(all), all.length > 1 ? integer(all[0]) : -1),
  Has: (run, collection, item) => collections.has(run, collection, item),
  Index: (_, ...all) =>
    all
      .slice(0, -1)
      .reduce<Value>(
        (at, key) =>
          Array.isArray(at)
            ? at[integer(key)]
            : args.map(at) instanceof Map
              ? undefined
              : (at as Record<string, unknown>)[text(key)],
        last(all),
      ),
  Keys: (_, ...maps) => maps.flatMap((map) => collections.sortedKeys(map)),
  Values: (_, ...maps) => maps.flatMap((map) => collections.values(map)),
  Merge: (run, first, ...others) => collections.merge(run, first, ...others),
  Omit: (run, ...all) => collections.omit(run, all.slice(0, -1), last(all)),
  Pick: (run, ...all) => collections.pick(run, all.slice(0, -1), last(all)),
  Reverse: (run, value) => collections.reverse(run, value),
  Sort: (run, ...all) => collections.sort(run, last(all), all.length > 1 ? text(all[0]) : undefined),
  Uniq: (run, value) => collections.uniq(run, value),
  JQ: (run, program, value) => jq(run, text(program), toHost(value)),
}

function parseUrl(value: Value): UrlValue {
  try {
    return new UrlValue(text(value), new URL(text(value)))
  } catch {
    throw new ValueError('the text is not a url')
  }
}

function parseInteger(value: Value, base: number, bits: number): number {
  const given = text(value).trim()
  const parsed = base === 0 || base === 10 ? Number(given) : Number.parseInt(given, base)
  if (!Number.isInteger(parsed) || Math.abs(parsed) >= 2 ** (bits || 64))
    throw new ValueError(`cannot read "${given.slice(0, 40)}" as a whole number`)
  return parsed
}

/** The list may stand first, as gomplate has it, or be piped in. */
const join: TemplateFunction = (run, first, second) =>
  Array.isArray(second) ? collections.join(run, second, text(first)) : collections.join(run, first, text(second))

const conv: Group = {
  Bool: (_, value) => truthy(value),
  ToBool: (_, value) => truthy(value),
  ToBools: (_, ...all) => all.map(truthy),
  Default: (_, otherwise, value) => (isEmpty(value) ? otherwise : value),
  Dict: coll.Dict!,
  Slice: coll.Slice!,
  Has: coll.Has!,
  Join: join,
  URL: (_, value) => parseUrl(value),
  Atoi: (_, value) => parseInteger(value, 10, 64),
  ParseInt: (_, value, base = 10, bits = 64) => parseInteger(value, integer(base), integer(bits)),
  ParseUint: (_, value, base = 10, bits = 64) => parseInteger(value, integer(base), integer(bits)),
  ParseFloat: (_, value) => args.number(text(value)),
  ToInt: (_, value) => integer(value),
  ToInt64: (_, value) => integer(value),
  ToInts: (_, ...all) => all.map(integer),
  ToInt64s: (_, ...all) => all.map(integer),
  ToFloat64: (_, value) => args.number(value),
  ToFloat64s: (_, ...all) => all.map(args.number),
  ToString: (_, value) => text(value),
  ToStrings: (_, ...all) => all.map(text),
}

const base64: Group = {
  Encode: (run, value) => encoding.base64Encode(run, value),
  Decode: (run, value) => encoding.base64Decode(run, value).toString(),
  DecodeBytes: (run, value) => new Uint8Array(encoding.base64Decode(run, value)),
}

const test: Group = {
  Assert: (_, ...all) => checks.assert(all.length > 1 ? text(all[0]) : '', last(all)),
  Fail: (_, message = '') => checks.fail(text(message)),
  IsKind: (_, kind, value) => checks.isKind(text(kind), value),
  Kind: (_, value) => checks.kind(value),
  Required: (_, ...all) => checks.required(all.length > 1 ? text(all[0]) : '', last(all)),
  Ternary: (_, yes, no, condition) => checks.ternary(yes, no, condition),
}

const neat: TemplateFunction = (run, ...all) => kubernetes.neat(run, all[0], all.length > 1 ? text(all[1]) : 'same')
const k8s: Group = {
  IsHealthy: (run, value) => kubernetes.isHealthy(run, value),
  IsReady: (run, value) => kubernetes.isReady(run, value),
  GetHealth: (run, value) => kubernetes.getHealth(run, value),
  GetStatus: (run, value) => kubernetes.getStatus(run, value),
  Neat: neat,
  CPUAsMillicores: (_, value) => cpuAsMillicores(value),
  MemoryAsBytes: (_, value) => memoryAsBytes(value),
  Labels: (run, value) => kubernetes.labels(run, value),
  PodProperties: (run, value) => kubernetes.pod(run, value),
  NodeProperties: (run, value) => kubernetes.node(run, value),
  GetResourcesLimit: (run, value, name) => kubernetes.resources(run, value, 'limits', text(name)),
  GetResourcesRequests: (run, value, name) => kubernetes.resources(run, value, 'requests', text(name)),
}

const awsGroup: Group = {
  ARNToMap: (_, value) => aws.arnToMap(value),
  FromAWSMap: (_, value) => aws.fromAwsMap(value),
}

export const namespaces: Record<string, Group> = {
  strings,
  math,
  time,
  regexp: regexpGroup,
  filepath,
  path,
  uuid,
  random,
  crypto,
  data: dataGroup,
  coll,
  conv,
  base64,
  test,
  k8s,
  aws: awsGroup,
}

/** `slice` cuts a list when only positions follow, and otherwise makes one, as gomplate's does. */
const slice: TemplateFunction = (run, ...all) => {
  const positions = all.slice(1)
  const cuts =
    Array.isArray(all[0]) &&
    positions.length > 0 &&
    positions.length < 4 &&
    positions.every((edge) => typeof edge === 'number')
  return cuts ? sliceOf(run, ...(all as [Value, ...Value[]])) : all
}

/** Names that stand without a namespace. */
export const shortNames: Group = {
  add: math.Add!,
  append: coll.Append!,
  assert: test.Assert!,
  bool: conv.Bool!,
  contains: strings.Contains!,
  csv: dataGroup.CSV!,
  csvByColumn: dataGroup.CSVByColumn!,
  csvByRow: dataGroup.CSVByRow!,
  default: conv.Default!,
  dict: coll.Dict!,
  div: math.Div!,
  endsWith: strings.HasSuffix!,
  fail: test.Fail!,
  flatten: coll.Flatten!,
  getHealth: k8s.GetHealth!,
  getStatus: k8s.GetStatus!,
  has: coll.Has!,
  hasPrefix: strings.HasPrefix!,
  hasSuffix: strings.HasSuffix!,
  humanDuration: (_, value) => human.humanDuration(value),
  humanSize: (_, value) => human.humanSize(value),
  indent: strings.Indent!,
  isHealthy: k8s.IsHealthy!,
  isKind: test.IsKind!,
  isReady: k8s.IsReady!,
  join,
  jq: coll.JQ!,
  json: dataGroup.JSON!,
  jsonArray: dataGroup.JSONArray!,
  keys: coll.Keys!,
  kind: test.Kind!,
  merge: coll.Merge!,
  mul: math.Mul!,
  neat,
  pow: math.Pow!,
  prepend: coll.Prepend!,
  quote: strings.Quote!,
  rem: math.Rem!,
  replaceAll: strings.ReplaceAll!,
  required: test.Required!,
  reverse: coll.Reverse!,
  semver: (_, value) => semver.parseSemver(text(value)),
  semverCompare: (_, constraint, version) => semver.satisfies(text(constraint), text(version)),
  seq: math.Seq!,
  shellQuote: strings.ShellQuote!,
  slice,
  sort: coll.Sort!,
  split: strings.Split!,
  splitN: strings.SplitN!,
  squote: strings.Squote!,
  startsWith: strings.HasPrefix!,
  sub: math.Sub!,
  ternary: test.Ternary!,
  title: strings.Title!,
  toCSV: dataGroup.ToCSV!,
  toJSON: dataGroup.ToJSON!,
  toJSONPretty: dataGroup.ToJSONPretty!,
  toLower: strings.ToLower!,
  toTOML: dataGroup.ToTOML!,
  toUpper: strings.ToUpper!,
  toYAML: dataGroup.ToYAML!,
  toml: dataGroup.TOML!,
  trim: strings.Trim!,
  uniq: coll.Uniq!,
  urlParse: conv.URL!,
  urldecode: (run, value) => encoding.urlDecode(run, value),
  urlencode: (run, value) => encoding.urlEncode(run, value),
  values: coll.Values!,
  yaml: dataGroup.YAML!,
  yamlArray: dataGroup.YAMLArray!,
  list: coll.Slice!,
}

/** Texts for messages in chat channels; see notifications. */
export const messageFunctions: Group = {
  labelsFormat: (_, labels) => {
    if (labels === null || labels === undefined) return ''
    const keys = collections.sortedKeys(labels)
    return keys.length === 0
      ? ''
      : `### Labels\n\n${keys.map((key) => `**${key}**: ${text((labels as Record<string, unknown>)[key])}`).join('\n\n')}`
  },
  slackHealthEmoji: (_, health) =>
    ({ healthy: ':large_green_circle:', unhealthy: ':red_circle:', warning: ':large_orange_circle:' })[text(health)] ??
    ':white_circle:',
  slackSectionLabels: (_, labels) => {
    const keys = labels === null || labels === undefined ? [] : collections.sortedKeys(labels)
    if (keys.length === 0) return ''
    const fields = keys.map((key) => ({
      type: 'mrkdwn',
      text: `*${key}*: ${text((labels as Record<string, unknown>)[key])}`,
      verbatim: true,
    }))
    return JSON.stringify({ type: 'section', text: { type: 'mrkdwn', text: '*Labels*' }, fields: fields.slice(0, 10) })
  },
  slackSectionTextMD: (_, value) => JSON.stringify({ type: 'section', text: { type: 'mrkdwn', text: text(value) } }),
  slackSectionTextPlain: (_, value) =>
    JSON.stringify({ type: 'section', text: { type: 'plain_text', text: text(value) } }),
  slackSectionTextFieldMD: (_, value) => JSON.stringify({ type: 'mrkdwn', text: text(value), verbatim: true }),
  slackSectionTextFieldPlain: (_, value) => JSON.stringify({ type: 'plain_text', text: text(value) }),
  slackURLAction: (_, ...pairs) =>
    JSON.stringify({
      type: 'actions',
      elements: Array.from({ length: Math.floor(pairs.length / 2) }, (__, index) => ({
        type: 'button',
        text: { type: 'plain_text', text: text(pairs[index * 2]), emoji: true },
        url: text(pairs[index * 2 + 1]),
      })),
    }),
}
