# From JSON
def totype(p; e): if p then . else fromjson | if p then . else e end end;
def tonumber: totype(isnumber; error("cannot parse as number"));
def toboolean: totype(isboolean; error("cannot parse as boolean"));
def @json: tojson;

# Arrays
def unchecked_limit($n; f): limit($n; f);
def limit($n; f): if $n < 0 then error("limit: the count is negative") else unchecked_limit($n; f) end;
def unchecked_nth($n; f): nth($n; f);
def nth($n; f): if $n < 0 then error("nth: the position is negative") else unchecked_nth($n; f) end;
def join($by): reduce .[] as $it (null;
    (if . == null then "" else . + $by end)
    + ($it | if . == null then "" elif isnumber or isboolean then tojson else . end))
  // "";
def flattened($depth): reduce .[] as $it ([];
    . + if ($it | isarray) and $depth != 0 then $it | flattened($depth - 1) else [$it] end);
def flatten($depth): if $depth < 0 then error("flatten: the depth is negative") else flattened($depth) end;
def flatten: flattened(-1);
def unchecked_reverse: reverse;
def reverse: if . == null then [] elif isstring then explode | unchecked_reverse | implode else unchecked_reverse end;
def pick(f): . as $all | reduce path(f) as $path (null; setpath($path; $all | getpath($path)));
def transpose: [range([.[] | length] | max) as $i | [.[][$i]]];
def toarray: if isarray then . else [.] end;

# Numbers
def gamma: lgamma;
def nearbyint: rint;

# Inputs
def unchecked_input: input;
def input: first(unchecked_input, error("No more inputs"));

# Positions
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def index($i): indices($i)[0];
def rindex($i): indices($i)[-1];

# Vectors and other values of engines are no dictionaries, though they come behind them.
def isobject: . >= {} and (is_native | not);
def type: if is_native then type_name elif isobject then "object" elif isarray then "array"
  elif isstring then "string" elif isnumber then "number" elif . == null then "null" else "boolean" end;
def objects: select(isobject);
def iterables: select(isarray or isobject);
def scalars: select(. < [] or is_native);

# Texts
def split($by):
  if isstring and ($by | isstring) then . / $by else error("split input and separator must be strings") end;
def ltrimstr($x): if startswith($x)? // false then .[($x | length):] end;
def rtrimstr($x): if (endswith($x)? // false) and $x != "" then .[:-($x | length)] end;
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def @csv: if isarray then map(
    if isnumber or isboolean then tostring elif . == null then ""
    elif isstring then "\"" + (split("\"") | join("\"\"")) + "\""
    else error("\(.) is not valid in a csv row") end) | join(",")
  else error("\(.) cannot be csv-formatted, only an array can be") end;
def @tsv: if isarray then map(
    if isnumber or isboolean then tostring elif . == null then ""
    elif isstring then reduce (["\\", "\\\\"], ["\t", "\\t"], ["\n", "\\n"], ["\r", "\\r"]) as [$from, $to] (.; split($from) | join($to))
    else error("\(.) cannot be tsv-formatted") end) | join("\t")
  else error("\(.) cannot be tsv-formatted, only an array can be") end;

# Regular expressions: what is given to them may be [EXPRESSION, FLAGS]
def with_flags(f): if isarray then [.[0], .[1]] else [., null] end | f;
def match($re; $flags): matches($re; $flags)[];
def match($re): ($re | with_flags(.)) as [$re, $flags] | match($re; $flags);
def test($re; $flags): matches($re; $flags) != [];
def test($re): ($re | with_flags(.)) as [$re, $flags] | test($re; $flags);
def captured: reduce (.captures[] | select(.name != null)) as $it ({}; .[$it.name] = ($it.string // .[$it.name]));
def capture($re; $flags): match($re; $flags) | captured;
def capture($re): ($re | with_flags(.)) as [$re, $flags] | capture($re; $flags);
def scan($re; $flags): match($re; "g" + $flags) | if .captures == [] then .string else [.captures[].string] end;
def scan($re): ($re | with_flags(.)) as [$re, $flags] | scan($re; $flags);
def splits($re; $flags): . as $text
  | foreach (match($re; "g" + $flags), null) as $it ({end: 0};
      if $it == null then .part = $text[.end:]
      else .part = $text[.end:$it.offset] | .end = $it.offset + $it.length end; .part);
def splits($re): splits($re; null);
def split($re; $flags): [splits($re; $flags)];
def sub($re; f; $flags): . as $text
  | reduce match($re; $flags) as $it ({made: [], end: 0};
      $text[.end:$it.offset] as $gap
      | reduce ([$it | captured | f] | to_entries[]) as {$key, $value} (.; .made[$key] = .made[$key] + [$gap, $value])
      | .end = $it.offset + $it.length)
  | .end as $end
  | if .made == [] then $text else .made[] + [$text[$end:]] | joined end;
def sub($re; f): ($re | with_flags(.)) as [$re, $flags] | sub($re; f; $flags);
def gsub($re; f; $flags): sub($re; f; "g" + $flags);
def gsub($re; f): ($re | with_flags(.)) as [$re, $flags] | gsub($re; f; $flags);

# Paths
def delpaths($paths): reduce ($paths | unique | reverse[]) as $path (.;
  if $path == [] then null elif getpath($path[:-1]) == null then . else getpath($path) |= empty end);
def del(f): delpaths([path(f)]);
def leaf_paths: paths(scalars);
def tostream: path(def r: (.[]? | r), .; r) as $path
  | getpath($path)
  | reduce path(.[]?) as $below ([$path, .]; [$path + $below]);
def fromstream(f): {x: null, e: false} as $start
  | foreach f as $it ($start;
      if .e then $start end
      | if $it | length == 2
        then setpath(["e"]; $it[0] | length == 0) | setpath(["x"] + $it[0]; $it[1])
        else setpath(["e"]; $it[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(f): . as $n | null | f | . as $it
  | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;

# Databases
def INDEX(f; key): reduce f as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def IN(f): any(f == .; .);
def IN(f; g): any(f == g; .);

# Objects
def from_entries: reduce .[] as $it ({};
  ($it | if .key != null then .key elif .k != null then .k elif .name != null then .name
    elif .Name != null then .Name elif .Key != null then .Key elif .K != null then .K else null end) as $key
  | .[$key] = ($it | if has("value") then .value elif has("v") then .v else .Value end));

# Times
def date: todate;

# What jq says of itself
def have_literal_numbers: true;
def have_decnum: false;
def input_filename: $__file__;
