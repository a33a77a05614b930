/** A value of a type that JavaScript has not: Vector2, Color, NodePath. `value` is that of the lossless JSON. */
export class Typed {
  constructor(type, value) {
    this.type = type;
    this.value = value;
    Object.freeze(this);
  }
}

/** A float that is a whole number: `new Float(2)` is 2.0, while 2 is an int. */
export class Float {
  constructor(value) {
    this.value = value;
    Object.freeze(this);
  }
  valueOf() {
    return this.value;
  }
}

const floats = { inf: Infinity, '-inf': -Infinity, nan: NaN, '-0': new Float(-0) };

/** Returns the value of an object with marks, whose members are values already. */
function unmarked(value) {
  if (value === null || typeof value !== 'object' || value.constructor !== Object) return value;
  const keys = Object.keys(value);
  if (keys[0]?.[0] !== '$') return value;
  const inner = value[keys[0]];
  if (keys.length > 1) return new Typed(keys[0].slice(1), value);
  switch (keys[0]) {
    case '$real': return new Float(inner);
    case '$int': return BigInt(inner);
    case '$float': return Object.hasOwn(floats, inner) ? floats[inner] : new Typed('float', inner);
    case '$dictionary': return Array.isArray(inner) ? new Map(inner) : new Typed('dictionary', inner);
    default: return new Typed(keys[0].slice(1), plain(inner));
  }
}

// Every number in a vector is a float, so that whole ones need no mark.
const plain = value =>
  Array.isArray(value) && value.every(it => typeof it === 'number' || it instanceof Float || Array.isArray(it))
    ? value.map(it => (it instanceof Float ? it.value : plain(it)))
    : value;

function float(number) {
  if (Number.isNaN(number)) return '{"$float":"nan"}';
  if (!Number.isFinite(number)) return `{"$float":"${number < 0 ? '-inf' : 'inf'}"}`;
  const digits = Object.is(number, -0) ? '-0' : String(number);
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}

const pairs = entries => `{"$dictionary":[${[...entries].map(([key, it]) => `[${text(key)},${text(it)}]`)}]}`;
const members = value => `{${Object.entries(value).map(([name, it]) => `${JSON.stringify(name)}:${text(it)}`)}}`;

function typed({ type, value }) {
  const name = `$${type}`;
  const is_whole = value !== null && typeof value === 'object' && value.constructor === Object && Object.keys(value)[0] === name;
  return is_whole ? members(value) : `{${JSON.stringify(name)}:${content(value)}}`;
}

// An object in a typed value has members of the lossless form; it is no dictionary.
const content = value =>
  value !== null && typeof value === 'object' && value.constructor === Object ? members(value) : text(value);

/** Returns a value as lossless JSON. */
function text(value) {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'boolean':
    case 'string': return JSON.stringify(value);
    case 'bigint': return String(value);
    case 'number': return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : float(value);
    case 'object': break;
    default: throw new TypeError(`there is no Variant for a ${typeof value}`);
  }
  if (value instanceof Float) return float(value.value);
  if (value instanceof Typed) return typed(value);
  if (ArrayBuffer.isView(value)) return packed(value);
  if (Array.isArray(value)) return `[${value.map(text)}]`;
  if (value instanceof Map) return pairs(value);
  return Object.keys(value).some(name => name[0] === '$') ? pairs(Object.entries(value)) : members(value);
}

const arrays = [
  [Uint8Array, 'PackedByteArray'],
  [Int32Array, 'PackedInt32Array'],
  [BigInt64Array, 'PackedInt64Array'],
  [Float32Array, 'PackedFloat32Array'],
  [Float64Array, 'PackedFloat64Array'],
];

function packed(value) {
  const found = arrays.find(([type]) => value instanceof type);
  if (!found) throw new TypeError(`there is no Variant for a ${value.constructor.name}`);
  const numbers = value instanceof Float32Array || value instanceof Float64Array ? [...value].map(float) : [...value].map(String);
  return `{"$${found[1]}":[${numbers}]}`;
}

/** Returns the functions of a codec. */
export const of = codec => ({
  decode: (bytes, engine = 'godot4') => JSON.parse(codec.decode(bytes, engine), (_, value) => unmarked(value)),
  encode: (value, engine = 'godot4') => codec.encode(text(value), engine),
});
