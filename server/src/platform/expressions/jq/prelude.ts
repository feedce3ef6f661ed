import type { Definition } from './syntax.ts'
import { parseDefinitions } from './parser.ts'

/** Functions that are best said in the language itself. */
const source = String.raw`
def map(f): [.[] | f];
def select(f): if f then . else empty end;
def recurse(f): def r: ., (f | r); r;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def recurse_down: recurse;
def recurse: recurse(.[]?);
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def not: if . then false else true end;
def add(f): reduce f as $x (null; . + $x);
def add: add(.[]);
def map_values(f): .[] |= f;
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({};
  . + { ($x | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name elif has("Name") then .Name elif has("Key") then .Key elif has("K") then .K else null end) else . end
         | if type == "string" then . elif type == "null" then "null" else tojson end):
        ($x | if type == "object" then (if has("value") then .value elif has("v") then .v elif has("Value") then .Value elif has("V") then .V else null end) else null end) });
def with_entries(f): to_entries | map(f) | from_entries;
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def first: .[0];
def last: .[-1];
def last(f): reduce f as $x (null; $x);
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else last(limit($n + 1; f)) end;
def isempty(g): label $go | (g | false, break $go), true;
def all(g; cond): isempty(first(g | cond and empty)) ;
def any(g; cond): isempty(first(g | cond or empty)) | not;
def all(f): all(.[]; f);
def any(f): any(.[]; f);
def all: all(.);
def any: any(.);
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def until(cond; update): def u: if cond then . else (update | u) end; u;
def while(cond; update): def w: if cond then ., (update | w) else empty end; w;
def repeat(f): def r: ., (f | r); r;
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: {};
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def match(re): match(re; null);
def test(re): test(re; null);
def capture(re): capture(re; null);
def capture(re; flags): match(re; flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def scan(re): scan(re; null);
def scan(re; flags): match(re; "g" + flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def splits(re): splits(re; null);
def splits(re; flags): split(re; flags) | .[];
def ascii_downcase: explode | map(if 65 <= . and . <= 90 then . + 32 else . end) | implode;
def ascii_upcase: explode | map(if 97 <= . and . <= 122 then . - 32 else . end) | implode;
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def min: min_by(.);
def max: max_by(.);
def sort: sort_by(.);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def sub(re; str): sub(re; str; "");
def sub(re; str; $flags): . as $in | (reduce (match(re; $flags) | . as $edit | ($edit.captures | map(select(.name != null) | {key: .name, value: .string}) | from_entries) as $c | [$edit, $c]) as [$edit, $c]
  ({from: 0, out: [""]}; .from as $from | .out |= [.[] as $o | ($c | str) as $new | $o + $in[$from:$edit.offset] + $new] | .from = $edit.offset + $edit.length))
  | .from as $from | .out[] + $in[$from:];
def gsub(re; str): sub(re; str; "g");
def gsub(re; str; $flags): sub(re; str; $flags + "g");
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init
  | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2
      then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
      else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def ascii: [.] | implode;
def toarray: if type == "array" then . else [.] end;
def debug: .;
def debug(f): .;
def stderr: .;
def input_line_number: 0;
def halt: error("halt is not available here");
def have_literal_numbers: true;
def ltrimstr($x): if (type == "string" and ($x | type) == "string" and startswith($x)) then .[($x | length):] else . end;
def rtrimstr($x): if (type == "string" and ($x | type) == "string" and ($x | length) > 0 and endswith($x)) then .[:-($x | length)] else . end;
`

export const prelude: ReadonlyMap<string, Definition> = new Map(
  parseDefinitions(source).map((definition) => [`${definition.name}/${definition.params.length}`, definition]),
)
