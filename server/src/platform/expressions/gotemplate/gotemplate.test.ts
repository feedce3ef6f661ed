import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExpressionError, OutOfSteps } from '../errors.ts'
import { Run } from '../run.ts'
import { productFunctions } from './functions.ts'
import { runTemplate, type TemplateOptions } from './gotemplate.ts'
import { namespaces } from './library.ts'

const now = Date.parse('2024-06-01T12:00:00Z')
const env = {
  name: 'web',
  n: 3,
  list: ['b', 'a', 'b'],
  m: { b: 2, a: 1 },
  people: [
    { n: 'b', age: 3 },
    { n: 'a', age: 5 },
  ],
  json: '{"x":[1,2]}',
  when: '2024-06-01T10:00:00Z',
  date: new Date('2024-05-04T03:02:01Z'),
  results: { rows: [{ name: 'queue' }] },
}
const render = (template: string, options: TemplateOptions = {}, data: Record<string, unknown> = env) =>
  runTemplate(template, data, new Run({ steps: 200_000, output: 100_000 }, now), options)

const cases: [string, string][] = [
  ['{{ index .results.rows 0 "name" }}', 'queue'],
  ['{{ add 1 2 3 }} {{ sub 5 2 }} {{ mul 2 3 }} {{ div 7 2 }} {{ rem 7 4 }} {{ pow 2 8 }}', '6 3 6 3.5 3 256'],
  ['{{ append "c" .list }} {{ prepend "z" .list }}', '[b a b c] [z b a b]'],
  ['{{ .list | sort | uniq | join "," }} {{ join .list "-" }}', 'a,b b-a-b'],
  [
    '{{ reverse .list }} {{ flatten (coll.Slice (coll.Slice 1 2) 3) }} {{ has .list "a" }} {{ has .m "zz" }}',
    '[b a b] [1 2 3] true false',
  ],
  ['{{ keys .m }} {{ values .m }} {{ (merge (dict "a" 9) .m) | toJSON }}', '[a b] [1 2] {"a":9,"b":2}'],
  ['{{ (dict "x" 1 "y" (slice 1 2)) | toJSON }}', '{"x":1,"y":[1,2]}'],
  ['{{ slice .list 1 }} {{ slice "a" "b" }} {{ coll.Slice 1 2 }}', '[a b] [a b] [1 2]'],
  [
    '{{ (json .json).x }} {{ (yaml "a: [1]").a }} {{ (toml "a = 5").a }} {{ yamlArray "- x" }} {{ jsonArray "[7]" }}',
    '[1 2] [1] 5 [x] [7]',
  ],
  ['{{ .m | toJSON }} {{ .m | toJSONPretty " " | replaceAll "\\n" "" }}', '{"a":1,"b":2} { "a": 1, "b": 2}'],
  ['{{ toYAML .m }}', 'a: 1\nb: 2'],
  ['{{ toTOML .m }}', 'a = 1\nb = 2'],
  [
    '{{ csv "a,b\\n1,2" }} {{ (index (csvByRow "a,b\\n1,2") 0).b }} {{ (csvByColumn "a,b\\n1,2").a }}',
    '[[a b] [1 2]] 2 [1]',
  ],
  ['{{ csv ";" "a;b" }} {{ csvByRow "," "x,y" "1,2" | toJSON }}', '[[a b]] [{"x":"1","y":"2"}]'],
  ['{{ toCSV (slice (slice "a" "b")) | quote }}', '"a,b\\r\\n"'],
  ['{{ .people | jq ".[] | .age" }} {{ jq "map(.n)|join(\\"+\\")" .people }}', '[3 5] b+a'],
  [
    '{{ contains "e" .name }} {{ startsWith "w" .name }} {{ endsWith "b" .name }} {{ hasPrefix "x" .name }} {{ hasSuffix "b" .name }}',
    'true true true false true',
  ],
  [
    '{{ title "a b" }} {{ toUpper .name }} {{ toLower "AB" }} {{ trim "x" "xax" }} {{ quote .name }} {{ squote .name }} {{ shellQuote "a b" }}',
    `A B WEB ab a "web" 'web' 'a b'`,
  ],
  [
    '{{ split "," "a,b" }} {{ splitN "," 2 "a,b,c" }} {{ replaceAll "." "-" "a.b" }} {{ indent 2 "x" }}|{{ "a\\nb" | indent 2 }}',
    '[a b] [a b,c] a-b   x|  a\n  b',
  ],
  [
    '{{ default "d" "" }} {{ .missing | default "d" }} {{ default "d" "v" }} {{ ternary "y" "n" true }} {{ required "r" .name }} {{ bool "yes" }}',
    'd d v y web true',
  ],
  ['{{ kind 1 }} {{ kind .m }} {{ isKind "number" 1.5 }} {{ assert true }}|', 'int map true |'],
  [
    '{{ humanSize 123456 }} {{ humanDuration "36h" }} {{ (semver "1.2.3-rc").minor }} {{ semverCompare "^1.0" "1.5.0" }} {{ seq 3 }} {{ seq 5 1 2 }}',
    '120.6K 1d12h0m 2 true [1 2 3] [5 3 1]',
  ],
  [
    '{{ urlencode "a b" }} {{ urldecode "a+b" }} {{ (urlParse "https://h:81/p?q=1").Host }} {{ (urlParse "https://h:81/p?q=1").Query.q }}',
    'a+b a b h:81 [1]',
  ],
  ['{{ base64.Encode "hi" }} {{ base64.Decode "aGk=" }} {{ "hi" | base64.Encode }}', 'aGk= hi aGk='],
  [
    '{{ strings.Trunc 2 "hello" }} {{ strings.Abbrev 8 "hello world" }} {{ strings.Repeat 2 "ab" }} {{ strings.TrimPrefix "a" "ab" }} {{ strings.Slug "A b!" }} {{ strings.RuneCount "é" }}',
    'he hello... abab b a-b 1',
  ],
  [
    '{{ strings.CamelCase "a b" }} {{ strings.SnakeCase "a b" }} {{ strings.KebabCase "a b" }} {{ strings.TrimLeft "x" "xax" }} {{ strings.TrimRight "x" "xax" }} {{ strings.WordWrap 5 "aaa bbb" }}',
    'aB a_b a-b ax xa aaa\nbbb',
  ],
  [
    '{{ math.Max 1 5 3 }} {{ math.Min 4 2 }} {{ math.Abs -3 }} {{ math.Ceil 1.2 }} {{ math.Floor 1.8 }} {{ math.Round 2.5 }} {{ math.IsInt 3 }} {{ math.Seq 2 }}',
    '5 2 3 2 1 3 true [1 2]',
  ],
  [
    '{{ (time.Now).Format "2006-01-02" }} {{ time.Now.Year }} {{ (time.Parse "2006-01-02" "2024-03-04").Weekday }} {{ (time.ParseDuration "90m").Hours }}',
    '2024-06-01 2024 Monday 1.5',
  ],
  [
    '{{ time.Since .when }} {{ (time.Now.Add (time.Hour 2)).Format "15:04" | len }} {{ .date.Year }} {{ .date.Format "Jan 2" }} {{ .date }}',
    '2h0m0s 5 2024 May 4 2024-05-04 03:02:01 +0000 UTC',
  ],
  [
    '{{ (time.Parse "RFC3339" .when).Unix }} {{ ((time.Parse "RFC3339" .when).AddDate 0 1 0).Month }} {{ (time.Unix 0).UTC.Year }}',
    '1717236000 July 1970',
  ],
  [
    '{{ regexp.Find "[0-9]+" "a12" }} {{ regexp.Replace "a(b)" "$1" "ab" }} {{ regexp.Match "^a" "b" }} {{ regexp.FindAll "[a-z]" 1 "ab" }} {{ regexp.Split "," "a,b" }}',
    '12 b false [a] [a b]',
  ],
  [
    '{{ filepath.Base "/a/b" }} {{ path.Join "a" "../b" }} {{ filepath.Rel "/a" "/a/b" }} {{ path.Ext "x.y" }}',
    'b b b .y',
  ],
  [
    '{{ conv.ToInt "5" }} {{ conv.Join .list "/" }} {{ conv.ToBool "true" }} {{ conv.Default 1 0 }} {{ conv.ParseInt "ff" 16 64 }} {{ conv.ToStrings 1 2 }} {{ conv.Atoi "7" }} {{ conv.ToFloat64 "1.5" }}',
    '5 b/a/b true 1 255 [1 2] 7 1.5',
  ],
  [
    '{{ coll.Pick "a" .m }} {{ coll.Omit "a" .m }} {{ coll.Sort "n" .people | toJSON }} {{ coll.Index "a" .m }}',
    'map[a:1] map[b:2] [{"age":5,"n":"a"},{"age":3,"n":"b"}] 1',
  ],
  [
    '{{ crypto.SHA1 "x" }} {{ uuid.Nil }} {{ uuid.IsValid (uuid.V4) }} {{ random.Item (slice 5) }} {{ len (random.Alpha 4) }}',
    '11f6ad8ec52a2984abaafd7c3b516503785c2072 00000000-0000-0000-0000-000000000000 true 5 4',
  ],
  [
    '{{ data.ToJSON .m }} {{ (data.JSON .json).x }} {{ test.Kind "x" }} {{ test.Ternary 1 2 false }}',
    '{"a":1,"b":2} [1 2] string 2',
  ],
  [
    '{{ k8s.IsHealthy (dict "kind" "Pod" "apiVersion" "v1" "status" (dict "phase" "Succeeded")) }} {{ k8s.CPUAsMillicores "2" }} {{ (aws.ARNToMap "arn:aws:s3:::b").service }}',
    'true 2000 s3',
  ],
  [
    '{{ isHealthy "kind: Pod\\napiVersion: v1\\nstatus: {phase: Failed}" }} {{ getStatus "kind: Pod\\napiVersion: v1\\nstatus: {phase: Failed}" }} {{ isReady "kind: X" }} {{ (getHealth "kind: X").status }}',
    'false Error true Unknown',
  ],
  ['{{ neat "kind: X\\nstatus: {a: 1}\\nmetadata: {uid: y, name: z}" }}', 'kind: X\nmetadata:\n  name: z'],
  [
    '{{ slackHealthEmoji "healthy" }} {{ slackSectionTextMD "*x*" }} {{ labelsFormat (dict "a" 1) }}',
    ':large_green_circle: {"type":"section","text":{"type":"mrkdwn","text":"*x*"}} ### Labels\n\n**a**: 1',
  ],
  [
    '{{ slackURLAction "Open" "http://x" }}',
    '{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"Open","emoji":true},"url":"http://x"}]}',
  ],
]

describe('the function library of templates', () => {
  test.each(cases)('%s', (template, expected) => expect(render(template)).toBe(expected))
})

const named =
  `add append assert base64 bool contains csv csvByColumn csvByRow default dict div endsWith fail flatten getHealth getStatus has hasPrefix hasSuffix
humanDuration humanSize indent isHealthy isKind isReady join jq json jsonArray keys kind merge mul neat pow prepend quote rem replaceAll required
reverse semver semverCompare seq shellQuote slice sort split splitN squote startsWith sub ternary title toCSV toJSON toJSONPretty toLower toTOML
toUpper toYAML toml trim uniq urlParse urldecode urlencode values yaml yamlArray catalog_traverse math strings time regexp filepath path uuid random
crypto data coll conv test k8s aws`.split(/\s+/)

test('no documented name is missing', () => {
  expect(named.filter((name) => !productFunctions.has(name))).toEqual([])
  expect(Object.keys(namespaces).sort()).toEqual(
    'aws base64 coll conv crypto data filepath k8s math path random regexp strings test time uuid'.split(' '),
  )
})

describe('delimiters', () => {
  test('a first line changes them', () => {
    expect(render('# gotemplate: left-delim=$[[ right-delim=]]\nhelm: {{ .x }} ours: $[[ .name ]]')).toBe(
      'helm: {{ .x }} ours: web',
    )
  })
  test('round ones may hold parentheses, and variables without a dot', () => {
    const options = { delimiters: { left: '$(', right: ')' }, bareVariables: ['name', 'm', 'title'] }
    expect(render('a $(name) $(m.a) $(.name) $(printf "%s!" (toUpper name))', options)).toBe('a web 1 web WEB!')
    expect(render('$(title) $(title "x y")', options, { title: 'T' })).toBe('T X Y')
  })
})

describe('errors say where', () => {
  test.each([
    ['a\n{{ nope . }}', 'function "nope" not defined (line 2, column 4)'],
    ['{{ if .x }}', '{{end}} is missing (line 1, column 4)'],
    ['{{ .name.first }}', "can't evaluate field first in a string (line 1, column 4)"],
    ['{{ index .list 9 }}', 'error calling index: index out of range: 9 (line 1, column 4)'],
    ['{{ strings.Nope "x" }}', 'there is no function strings.Nope'],
    ['{{ fail "stop" }}', 'stop'],
  ])('%s', (template, message) => {
    expect(() => render(template)).toThrow(message)
    expect(() => render(template)).toThrow(ExpressionError)
  })
})

describe('bounded', () => {
  test.each([
    '{{ range seq 100000 }}{{ range seq 100000 }}x{{ end }}{{ end }}',
    '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
    '{{ strings.Repeat 1000000000 "x" }}',
    '{{ $s := "x" }}{{ range seq 100 }}{{ $s = print $s $s }}{{ end }}{{ $s }}',
    '{{ printf "%1000000000d" 1 }}',
    '{{ range 1000000000 }}{{ end }}',
  ])('%s', (template) => {
    const started = process.cpuUsage()
    expect(() => render(template)).toThrow()
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(500)
  })
})

test('never fails in any way but its own errors', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{{-',
    '-}}',
    ' ',
    '.',
    '.name',
    '$x',
    ':=',
    '=',
    '|',
    '(',
    ')',
    '"a"',
    '`',
    '1',
    'if ',
    'else ',
    'end',
    'range ',
    'with ',
    'define "t"',
    'template "t"',
    'block "b" .',
    'len ',
    'index ',
    'printf "%d" ',
    'nil',
    'true',
    '/*',
    '*/',
    'break',
    'continue',
    ',',
    '\n',
    'strings.Split',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (parts) => {
      try {
        runTemplate(parts.join(''), env, new Run({ steps: 5_000, output: 5_000 }))
      } catch (error) {
        if (
          !(error instanceof ExpressionError) &&
          !(error instanceof OutOfSteps) &&
          (error as Error).name !== 'ValueError'
        )
          throw error
      }
    }),
    { numRuns: 3_000 },
  )
})

test('data cannot bring functions or prototypes along', () => {
  expect(render('{{ .a.constructor }}{{ .a.__proto__ }}', {}, { a: {} })).toBe('<no value><no value>')
  expect(() => render('{{ .name.length.x }}')).toThrow()
})
