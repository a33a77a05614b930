# From JSON
def totype(p; e): if p then . else fromjson | if p then . else e end end;
def tonumber: totype(isnumber; error("cannot parse as number"));
def toboolean: totype(isboolean; error("cannot parse as boolean"));
def @json: tojson;

# Arrays
def transpose: [range([.[] | length] | max) as $i | [.[][$i]]];
def toarray: if isarray then . else [.] end;

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
