# What a value with the name of a type holds: `.position | items`, `.typed_list | items[]`.
def items: tag as $tag | if $tag == null then . else .[$tag] end;

# The engine's name of a type: "Vector2"; `type` says what it is in JSON.
def type_name: tag as $tag
  | if $tag == "$dictionary" or ($tag == null and isobject) then "Dictionary"
    elif $tag != null then $tag[1:] | if . == "float" then . end
    elif . == null then "Nil" elif isboolean then "bool" elif isstring then "String" elif isarray then "Array"
    elif tojson | test("[.eE]") then "float" else "int" end;

# A value of another type: `[1, 2] | of_type("Vector2")`.
def of_type($type):
  if type_name == $type then .
  elif $type == "float" then . + 0.0
  elif $type == "int" then if . == floor then floor else error("\(.) is no whole number") end
  elif $type == "Array" or $type == "String" then items
  else {("$" + $type): items} end;

# Components of vectors, rectangles, colours and transforms as filters: `.position | x`, `(.position | x) = 10`.
def x: .["x"]; def y: .["y"]; def z: .["z"]; def w: .["w"];
def r: .["r"]; def g: .["g"]; def b: .["b"]; def a: .["a"];
def position: .["position"]; def size: .["size"]; def origin: .["origin"]; def basis: .["basis"];

# The value of a key that may be of any type, and all entries.
def entry($key): .[$key];
def entries: to_entries[];

# Entries of a dictionary with keys of any type stay in one, and those of an object in that.
def unchecked_with_entries(f): with_entries(f);
def with_entries(f): tag as $tag
  | if $tag == "$dictionary" then .[$tag] = (to_entries | map(f | [.key, .value]))
    elif $tag == "$Object" then .[$tag].properties = (to_entries | map(f | [.key, .value]))
    else unchecked_with_entries(f) end;

# Loops, as in jaq. Here each turn looks at the stack and the depth of values.
def repeat(f): def rec: f, rec; rec;
def recurse(f): def rec: ., (f | rec); rec;
def recurse(f; cond): recurse(f | select(cond));
def while(cond; f): def rec: if cond then ., (f | rec) else empty end; rec;
def until(cond; f): def rec: if cond then . else f | rec end; rec;

# Paths
def delpaths($paths): reduce ($paths | unique | reverse[]) as $path (.;
  if $path == [] then null elif getpath($path[:-1]) == null then . else getpath($path) |= empty end);
def del(f): delpaths([path(f)]);
def setpath($path; $value): if $path == [] then $value else
  $path[0] as $key | ((if . == null then . else .[$key] end) | setpath($path[1:]; $value)) as $new
  | .[$key] = $new end;
def leaf_paths: paths(scalars);
def toarray: if isarray then . else [.] end;

# Streams and tables
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
def INDEX(f; key): reduce f as $row ({}; . + {($row | key | tostring): $row});
def INDEX(key): INDEX(.[]; key);
def IN(f): any(f == .; .);
def IN(f; g): any(f == g; .);
def @csv: map(if . == null then "" elif isstring then "\"" + gsub("\""; "\"\"") + "\"" else tostring end) | join(",");
def @tsv: map(if . == null then "" elif isstring then gsub("\\\\"; "\\\\") | gsub("\t"; "\\t") | gsub("\n"; "\\n") | gsub("\r"; "\\r")
  else tostring end) | join("\t");

# Times: jaq's functions, given only what may be one.
def time: if isnumber and (. < -4398046511104 or . > 4398046511104) then error("\(.) is no time")
  elif isarray and ((.[1] // 0) < 0 or (.[1] // 0) > 11) then error("\(.) is no time: months are 0 to 11") end;
def unchecked_gmtime: gmtime; def gmtime: time | unchecked_gmtime;
def unchecked_localtime: localtime; def localtime: time | unchecked_localtime;
def unchecked_mktime: mktime; def mktime: time | unchecked_mktime;
def unchecked_todate: todateiso8601; def todateiso8601: time | unchecked_todate; def todate: todateiso8601; def date: todate;
def unchecked_strftime($form): strftime($form); def strftime($form): time | unchecked_strftime($form);
def unchecked_strflocaltime($form): strflocaltime($form);
def strflocaltime($form): time | unchecked_strflocaltime($form);

# Inputs
def unchecked_input: input; def input: first(unchecked_input, error("No more inputs"));
def input_filename: $__file__;
