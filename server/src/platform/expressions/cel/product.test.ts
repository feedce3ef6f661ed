import { describe, expect, test } from 'vitest'
import { Run } from '../run.ts'
import { evaluateCel, registries } from './cel.ts'
import { macroNames } from './macros.ts'

const now = Date.parse('2024-06-01T12:00:00Z')
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    labels: { app: 'web', 'pod-template-hash': 'x' },
    creationTimestamp: '2024-06-01T10:00:00Z',
  },
  spec: {
    nodeName: 'n1',
    containers: [
      {
        image: 'nginx:1',
        resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { cpu: '1', memory: '1Gi' } },
      },
      { image: 'side', resources: { limits: { cpu: '500m' } } },
    ],
  },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ ready: true, restartCount: 0, state: { running: {} } }],
    podIP: '10.0.0.1',
  },
}
const env = {
  pod,
  m: { b: 2, a: 1 },
  people: [
    { n: 'b', age: 3 },
    { n: 'a', age: 5 },
  ],
  tags: [{ Name: 'env', Value: 'prod' }],
  rows: ['name,age', 'ann,3', '"bob, jr",4'],
}
const evaluate = (text: string) =>
  evaluateCel(text, env, new Run({ steps: 1_000_000, output: 100_000 }, now), 'product').value

const cases: [string, unknown][] = [
  // text to data and back
  [`'{"a": [1, 2.5]}'.JSON().a`, [1, 2.5]],
  [`'[1, 2]'.JSONArray()`, [1, 2]],
  [`YAML('a: 1\\nb: [x]')`, { a: 1, b: ['x'] }],
  [`YAMLArray('- a\\n- b')`, ['a', 'b']],
  [`TOML('a = 1\\n[b]\\nc = "x"')`, { a: 1, b: { c: 'x' } }],
  [
    'CSV(rows)',
    [
      ['name', 'age'],
      ['ann', '3'],
      ['bob, jr', '4'],
    ],
  ],
  [
    'data.CSVByRow(rows)',
    [
      { name: 'ann', age: '3' },
      { name: 'bob, jr', age: '4' },
    ],
  ],
  ['data.CSVByColumn(rows)', { name: ['ann', 'bob, jr'], age: ['3', '4'] }],
  ['m.toJSON()', '{"a":1,"b":2}'],
  [`m.toJSONPretty('  ')`, '{\n  "a": 1,\n  "b": 2\n}'],
  ['toYAML(m)', 'a: 1\nb: 2\n'],
  ['toTOML(m)', 'a = 1\nb = 2\n'],
  [`toCSV([['a', 'b,c'], ['1', '2']])`, 'a,"b,c"\r\n1,2\r\n'],
  [`jq('.[] | .n', people)`, ['b', 'a']],
  [`jq('.b', m)`, 2],
  [`jq('.zzz | empty', m)`, null],
  // maps and lists
  ['m.keys()', ['a', 'b']],
  ['m.values()', [1, 2]],
  [`m.merge({'c': 3, 'a': 9})`, { a: 1, b: 2, c: 3 }],
  [`m.pick(['a'])`, { a: 1 }],
  [`m.omit(['a'])`, { b: 2 }],
  [`Dict(['x', 1, 'y', 2])`, { x: 1, y: 2 }],
  ['[1, 2, 1, 1.0].uniq()', [1, 2]],
  [`['b', 'a'].sort()`, ['a', 'b']],
  [`people.sortBy('n').map(p, p.age)`, [5, 3]],
  ['[1, [2, [3]]].flatten()', [1, 2, 3]],
  ['Append(3, [1, 2])', [1, 2, 3]],
  ['Prepend(3, [1, 2])', [3, 1, 2]],
  [`Has(m, 'a') && !Has(m, 'z') && Has([1, 2], 2)`, true],
  ['[3, 1].isSorted() || [1, 3].isSorted()', true],
  ['[1, 2, 3].sum() + [4, 2].min() + [4, 2].max()', 12],
  ['[1, 2, 3].indexOf(2) + [1, 2, 2].lastIndexOf(2)', 3],
  ['[1, 2, 3, 4].slice(1, 3)', [2, 3]],
  ['math.greatest(1, 2.5, 2) + math.least([4, 3])', 5.5],
  ['sets.contains([1, 2, 3], [1, 2]) && sets.equivalent([1, 2], [2, 1]) && sets.intersects([1], [1, 2])', true],
  // durations and times
  [`string(Duration('7d'))`, '604800s'],
  [`Duration('1w2d') == duration('216h')`, true],
  [`Duration('1y') > Duration('51w')`, true],
  [`Age('2024-06-01T11:30:00Z') == duration('30m') && age('2024-06-01T11:30:00Z') == duration('30m')`, true],
  [`Age(60000000000) == duration('1m')`, true],
  [`duration('90m').getHours() + duration('90m').getMinutes()`, 91],
  [`time.Parse('2006-01-02', '2024-05-06').getMonth()`, 4],
  [
    `string(time.Parse('Mon, 02 Jan 2006 15:04:05 -0700', 'Mon, 06 May 2024 10:00:00 +0200'))`,
    '2024-05-06T10:00:00+02:00',
  ],
  [
    `string(time.ParseInLocation('2006-01-02 15:04', 'Europe/Berlin', '2024-07-01 12:00'))`,
    '2024-07-01T12:00:00+02:00',
  ],
  [`time.ParseDuration('2h') == duration('120m')`, true],
  [`time.Since(timestamp('2024-06-01T11:00:00Z')) == time.Until(timestamp('2024-06-01T13:00:00Z'))`, true],
  [`time.Unix(0).getFullYear()`, 1970],
  [`time.Now().getFullYear()`, 2024],
  [
    `time.Hour(2) + time.Minute(1) + time.Second(1) + time.Millisecond(1) + time.Microsecond(1) + time.Nanosecond(1) == duration('2h1m1.001001001s')`,
    true,
  ],
  [`type(time.ZoneName()) == string && type(time.ZoneOffset()) == int`, true],
  [`HumanDuration(Duration('6w'))`, '6w0d0h'],
  [`HumanDuration('36h')`, '1d12h0m'],
  [`HumanDuration(1500000000)`, '1.5s'],
  ['HumanSize(123456)', '120.6K'],
  ['HumanSize(500) + HumanSize(1048576)', '5001M'],
  [
    `Semver('v1.2.3-rc.1+b5')`,
    { major: 1, minor: 2, patch: 3, prerelease: 'rc.1', metadata: 'b5', original: 'v1.2.3-rc.1+b5' },
  ],
  [
    `SemverCompare('>= 1.2, < 2', '1.9.9') && !SemverCompare('^1.2', '2.0.0') && SemverCompare('~1.2', '1.2.9') && SemverCompare('1.x || 3.1', '3.1.0')`,
    true,
  ],
  // texts
  [`'hello world'.abbrev(8)`, 'hello...'],
  [`'the quick brown fox'.abbrev(6, 12)`, '...ick br...'],
  [`'hello wide world'.camelCase()`, 'helloWideWorld'],
  [`'Hello, wide World!'.kebabCase()`, 'Hello-wide-world'],
  [`'Hello, wide World!'.snakeCase()`, 'Hello_wide_world'],
  [`'Grüße & Küsse!'.slug()`, 'grusse-and-kusse'],
  [`'hello world'.title()`, 'Hello World'],
  [`'aB'.toLower() + 'aB'.toUpper()`, 'abAB'],
  [`'prefix-x'.trimPrefix('prefix-') + 'x-suffix'.trimSuffix('-suffix') + '  y '.trimSpace()`, 'xxy'],
  [`'hello'.trunc(2)`, 'he'],
  [`'a\\nb'.indent('> ')`, '> a\n> b'],
  [`'a\\n\\nb'.indent(2, '-')`, '--a\n\n--b'],
  [`'a"b'.quote() + 'it'.squote()`, `"a\\"b"'it'`],
  [`"it's".shellQuote()`, `'it'"'"'s'`],
  [`'ab'.repeat(3)`, 'ababab'],
  [`'a.b.c'.replaceAll('.', '-')`, 'a-b-c'],
  [`'日本'.runeCount()`, 2],
  [`'hello wide world'.wordWrap(6)`, 'hello\nwide\nworld'],
  [`'hello wide world'.wordWrap(10, '|')`, 'hello wide|world'],
  [`SplitN(',', 2, 'a,b,c')`, ['a', 'b,c']],
  [`Contains('ell', 'hello')`, true],
  [`'tacocat'.find('c.') + string('tacocat'.findAll('[ao]').size())`, 'co3'],
  [`urlencode('a b&c') + urldecode('x%20y+z')`, 'a+b%26cx y z'],
  // files, numbers, chance
  [
    `filepath.Base('/a/b.txt') + filepath.Dir('/a/b.txt') + filepath.Ext('b.txt') + filepath.Clean('/a/../b/')`,
    'b.txt/a.txt/b',
  ],
  [`filepath.Join(['a', '..', 'b', 'c'])`, 'b/c'],
  [`filepath.IsAbs('/x') && filepath.Match('*.txt', 'a.txt') && !filepath.Match('*.txt', 'a/b.txt')`, true],
  [
    `filepath.Rel('/a/b', '/a/c/d') + filepath.ToSlash('x') + filepath.FromSlash('y') + filepath.VolumeName('/z')`,
    '../c/dxy',
  ],
  [`filepath.Split('/a/b')`, ['/a/', 'b']],
  ['math.Abs(-3) + math.Add([1, 2]) + math.Mul([2, 3]) + math.Sub(5, 2) + math.Rem(7, 4) + math.Pow(2, 3)', 26],
  ['math.Div(7, 2)', 3.5],
  ['math.Ceil(1.2) + math.Floor(1.8) + math.Round(2.5)', 6],
  [`math.IsInt(2) && !math.IsInt(2.5) && math.IsFloat(2.5) && math.IsNum('3') && !math.IsNum('x')`, true],
  ['math.Seq([1, 7, 3])', [1, 4, 7]],
  [
    `random.Alpha(5).matches('^[A-Za-z]{5}$') && random.AlphaNum(4).size() == 4 && random.ASCII(3).size() == 3 && random.String(6, '[a-c]').matches('^[a-c]{6}$')`,
    true,
  ],
  ['random.Item([7]) == 7 && random.Number(3, 3) == 3 && random.Float(0, 1) < 1.0', true],
  [
    `uuid.IsValid(uuid.V1()) && uuid.IsValid(uuid.V4()) && uuid.Nil() == '00000000-0000-0000-0000-000000000000' && !uuid.IsValid('x')`,
    true,
  ],
  [`uuid.Parse('{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}')`, '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  [`crypto.SHA1('x')`, '11f6ad8ec52a2984abaafd7c3b516503785c2072'],
  [`crypto.SHA256('')`, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [
    `crypto.SHA224('x').size() + crypto.SHA384('x').size() + crypto.SHA512('x').size() + crypto.SHA512_224('x').size() + crypto.SHA512_256('x').size()`,
    56 + 96 + 128 + 56 + 64,
  ],
  [`size(crypto.SHA256Bytes('x'))`, 32],
  [`base64.encode(b'hi') + string(base64.decode('aGk='))`, 'aGk=hi'],
  // regular expressions, checks
  [
    `regexp.Find('[0-9]+', 'a12b') + regexp.Replace('(a)(b)', '$2$1', 'ab') + regexp.ReplaceLiteral('a', '$1', 'a')`,
    '12ba$1',
  ],
  [`regexp.FindAll('[0-9]', 'a1b2')`, ['1', '2']],
  [`regexp.Match('^a', 'ab') && regexp.QuoteMeta('a.b') == 'a\\\\.b'`, true],
  [`regexp.Split('[,;]', 'a,b;c')`, ['a', 'b', 'c']],
  [
    `test.Assert(true) + test.Kind(1) + test.Kind('x') + test.Kind([]) + test.Kind({}) + test.Kind(1.5)`,
    'intstringslicemapfloat64',
  ],
  [`test.IsKind('number', 1) && test.Required('x') == 'x' && test.Ternary(1, 2, false) == 2`, true],
  // aws, urls
  [
    `aws.arnToMap('arn:aws:s3:eu-1:123:bucket/x:y')`,
    { service: 's3', region: 'eu-1', account: '123', resource: 'bucket/x:y' },
  ],
  ['fromAWSMap(tags)', { env: 'prod' }],
  [`arnToMap('arn:aws:s3:::b').resource + aws.fromAWSMap(tags).env`, 'bprod'],
  [
    `url('https://u@h.com:443/a%20b?q=1&q=2').getScheme() + url('https://h.com:443/').getHost() + url('http://h').getHostname()`,
    'httpsh.com:443h',
  ],
  [`url('http://h:80/a%20b?q=1').getPort() + url('http://h/a%20b').getEscapedPath()`, '80/a%20b'],
  [`url('http://h/?q=1&q=2').getQuery()`, { q: ['1', '2'] }],
  // kubernetes
  ['k8s.isHealthy(pod) && IsHealthy(pod) && k8s.is_healthy(pod) && k8s.isReady(pod) && IsReady(pod)', true],
  [`k8s.getHealth(pod).health + GetHealth(pod).status`, 'healthyRunning'],
  ['k8s.getStatus(pod) + GetStatus(pod)', 'RunningRunning'],
  [`k8s.cpuAsMillicores('1.5') + k8s.cpuAsMillicores('250m') + k8s.cpuAsMillicores('2')`, 3750],
  [`k8s.memoryAsBytes('10Gi') + k8s.memoryAsBytes('1k')`, 10 * 2 ** 30 + 1000],
  ['k8s.labels(pod)', { app: 'web', namespace: 'shop' }],
  [`k8s.getResourcesLimit(pod, 'cpu') + k8s.getResourcesRequests(pod, 'cpu')`, 1750],
  [`k8s.getResourcesRequests(pod, 'memory')`, 64 * 2 ** 20],
  [`k8s.podProperties(pod).filter(p, p.name == 'image')[0].text`, 'nginx:1'],
  [`k8s.neat(pod).metadata.keys()`, ['labels', 'name', 'namespace']],
  [`k8s.neat('kind: Pod\\nmetadata: {uid: x, name: y}', 'json')`, '{"kind":"Pod","metadata":{"name":"y"}}'],
  [`k8s.isHealthy('apiVersion: v1\\nkind: Pod\\nstatus: {phase: Succeeded}')`, true],
  [
    `k8s.nodeProperties({'kind': 'Node', 'status': {'capacity': {'cpu': '4'}, 'allocatable': {'cpu': '3500m'}}})[0].value`,
    3500,
  ],
]

describe('the function library of expressions', () => {
  test.each(cases)('%s', (text, expected) => expect(evaluate(text)).toEqual(expected))
})

test('functions that fail say why', () => {
  expect(() => evaluate(`test.Assert('disk is full', false)`)).toThrow('assertion failed: disk is full')
  expect(() => evaluate(`test.Fail('no')`)).toThrow('no')
  expect(() => evaluate(`test.Required('give a name', '')`)).toThrow('give a name')
  expect(() => evaluate(`'{'.JSON()`)).toThrow('the text is not JSON')
  expect(() => evaluate(`YAML('a: [')`)).toThrow('the text is not YAML')
})

// Every name that the reference documents, as written there.
const named =
  `size has matches startsWith endsWith contains string int double bool bytes timestamp duration type dyn getFullYear getHours getSeconds
charAt indexOf lastIndexOf join lowerAscii upperAscii replace reverse split substring trim format strings.quote base64.encode base64.decode slice
math.greatest math.least sets.contains sets.equivalent sets.intersects isSorted sum min max url getScheme getHost getHostname getPort getEscapedPath
getQuery find findAll JSON JSONArray YAML YAMLArray TOML CSV data.CSVByRow data.CSVByColumn toJSON toJSONPretty toYAML toTOML toCSV jq keys values
merge pick omit Dict uniq sort sortBy flatten Append Prepend Has Duration Age age time.Now time.Parse time.ParseLocal time.ParseInLocation
time.ParseDuration time.Since time.Until time.Unix time.ZoneName time.ZoneOffset time.Nanosecond time.Microsecond time.Millisecond time.Second
time.Minute time.Hour HumanDuration HumanSize Semver SemverCompare abbrev camelCase kebabCase snakeCase slug title toLower toUpper trimPrefix
trimSuffix trimSpace trunc indent quote squote shellQuote repeat replaceAll runeCount wordWrap SplitN Contains filepath.Base filepath.Clean
filepath.Dir filepath.Ext filepath.FromSlash filepath.IsAbs filepath.Join filepath.Match filepath.Rel filepath.Split filepath.ToSlash
filepath.VolumeName math.Abs math.Add math.Mul math.Sub math.Div math.Rem math.Pow math.Ceil math.Floor math.Round math.IsInt math.IsFloat
math.IsNum math.Seq random.ASCII random.Alpha random.AlphaNum random.String random.Item random.Number random.Float uuid.V1 uuid.V4 uuid.Nil
uuid.IsValid uuid.Parse crypto.SHA1 crypto.SHA224 crypto.SHA256 crypto.SHA384 crypto.SHA512 crypto.SHA512_224 crypto.SHA512_256 crypto.SHA256Bytes
regexp.Find regexp.FindAll regexp.Match regexp.QuoteMeta regexp.Replace regexp.ReplaceLiteral regexp.Split test.Assert test.Fail test.IsKind
test.Kind test.Required test.Ternary urlencode urldecode aws.arnToMap arnToMap aws.fromAWSMap fromAWSMap catalog.traverse last_result getLastAction
getAction always failure success skip timeout k8s.isHealthy IsHealthy k8s.is_healthy k8s.isReady IsReady k8s.getHealth GetHealth k8s.getStatus
GetStatus k8s.neat k8s.cpuAsMillicores k8s.memoryAsBytes k8s.labels k8s.podProperties k8s.nodeProperties k8s.getResourcesLimit
k8s.getResourcesRequests`.split(/\s+/)

test('no documented name is missing', () => {
  const known = new Set([...registries.product.allNames(), ...macroNames.map((name) => name.replace(/\/\d$/, ''))])
  expect(named.filter((name) => !known.has(name) && !known.has(`.${name}`))).toEqual([])
})
