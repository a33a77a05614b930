// Lets one of the npm packages answer formwork's decoder protocol:
//
//     formwork-kit fuzz --format godot3 --answer json --target 'node responder.cjs gd-com'
//
// JavaScript has one type of number, and these packages return plain objects for vectors: from the
// result alone nobody can tell an int from a float. So each package's own decoding functions are
// wrapped: what they return is marked with the type they were called for, and the answer is JSON with
// those types. What they decode, and how they go on, stays theirs.
'use strict'

const fs = require('fs')
const path = require('path')

/** A decoded value and the Godot 3 type it was decoded as. */
class Marked {
  constructor (type, value) {
    this.type = type
    this.value = value
  }

  // As a key of an object it is what the package's own value would be.
  toString () { return String(plain(this)) }
}

/** The value as the package would have returned it. */
function plain (value) {
  if (value instanceof Marked) return plain(value.value)
  if (Array.isArray(value)) return value.map(plain)
  return value
}

/** A type that the package does not claim to read. */
class Unclaimed extends Error {}

/** All numbers of a value, in the order of its members: the order of the bytes. */
function numbers (value) {
  if (value instanceof Marked) return numbers(value.value)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbers) : [value]
}

function float (number) {
  if (number === undefined) return 'null'
  if (Number.isNaN(number)) return '{"$float":"nan"}'
  if (!Number.isFinite(number)) return number > 0 ? '{"$float":"inf"}' : '{"$float":"-inf"}'
  if (Object.is(number, -0)) return '{"$float":"-0"}'
  const text = String(number)
  return /[.e]/.test(text) ? text : text + '.0'
}

// A Long prints itself; a number beyond 2^53 prints what is left of it.
const int = number => typeof number === 'number' ? BigInt(Math.trunc(number)).toString() : String(number)
const list = (name, values) => `{"$${name}":[${values.join(',')}]}`
const string = text => JSON.stringify(text)
const math = name => value => list(name, numbers(value).map(float))
const elements = (name, one) => value => list(name, value.map(plain).map(one))

function dictionary (value) {
  // Keys of an object are strings, whatever they were.
  const pairs = Object.keys(value).map(key => `[${string(key)},${json(value[key])}]`)
  return list('dictionary', pairs)
}

const FORMS = {
  null: () => 'null',
  bool: String,
  int,
  float,
  string,
  vector2: math('Vector2'),
  rect2: math('Rect2'),
  vector3: math('Vector3'),
  transform2d: math('Transform2D'),
  plane: math('Plane'),
  quat: math('Quat'),
  aabb: math('AABB'),
  basis: math('Basis'),
  transform: math('Transform'),
  color: math('Color'),
  nodePath: value => `{"$NodePath":${string(typeof value === 'string' ? value : value.path)}}`,
  dictionary,
  array: value => `[${value.map(json).join(',')}]`,
  bytes: value => `{"$PoolByteArray":${string(Buffer.from(value).toString('base64'))}}`,
  ints: elements('PoolIntArray', int),
  // What @gd-com/utils takes for arrays of 64-bit numbers, Godot 3 does not have.
  longs: elements('PackedInt64Array', int),
  floats: elements('PoolRealArray', float),
  doubles: elements('PackedFloat64Array', float),
  strings: elements('PoolStringArray', string),
  vector2s: value => list('PoolVector2Array', numbers(value).map(float)),
  vector3s: value => list('PoolVector3Array', numbers(value).map(float)),
  colors: value => list('PoolColorArray', numbers(value).map(float))
}

function json (value) {
  return value instanceof Marked ? FORMS[value.type](value.value) : value == null ? 'null' : string(String(value))
}

/** Files of the two packages of gd-com, and the type that each decodes. */
const FILES = {
  null: 'null', bool: 'bool', integer: 'int', float: 'float', string: 'string', vector2: 'vector2',
  rect2: 'rect2', vector3: 'vector3', transform2d: 'transform2d', plane: 'plane', quat: 'quat', aabb: 'aabb',
  basis: 'basis', transform: 'transform', color: 'color', nodePath: 'nodePath', dictionnary: 'dictionary',
  array: 'array', rawArray: 'bytes', intArray: 'ints', int32Array: 'ints', int64Array: 'longs',
  realArray: 'floats', float32Array: 'floats', float64Array: 'doubles', stringArray: 'strings',
  vector2Array: 'vector2s', vector3Array: 'vector3s', colorArray: 'colors'
}

/** Types of Godot 3 that the two packages of gd-com leave out: NodePath, RID, Object. */
const GD_COM_LACKS = /Invalid type 1[567]$/

function gdCom (name, folder) {
  const root = path.join(__dirname, 'node_modules', name, folder, 'get/get_var')
  for (const [file, type] of Object.entries(FILES)) {
    if (!fs.existsSync(path.join(root, file + '.js'))) continue
    const exported = require(path.join(root, file + '.js'))
    const own = exported.decode ? 'decode' : Object.keys(exported).find(key => key.startsWith('getVar'))
    const decode = exported[own]
    exported[own] = (...given) => {
      const { value, length } = decode(...given)
      return { value: new Marked(type, value), length }
    }
  }
  const { getVar } = require(name)
  return packet => {
    try {
      return getVar(packet)
    } catch (error) {
      throw GD_COM_LACKS.test(error.message) ? new Unclaimed(error.message) : error
    }
  }
}

function godotBinarySerialization (name) {
  const root = path.join(__dirname, 'node_modules', name, 'lib/decode')
  const types = {
    nil: 'null', bool: 'bool', int: 'int', real: 'float', string: 'string', color: 'color',
    node_path: 'nodePath', array: 'array', dictionary: 'dictionary', math: undefined
  }
  const marked = (type, { variant, byteLength }) => ({ variant: new Marked(type, variant), byteLength })
  for (const [file, type] of Object.entries(types)) {
    const at = require.resolve(path.join(root, file + '.js'))
    const decode = require(at)
    const wrapped = type
      ? (...given) => marked(type, decode(...given))
      : (kind, packet) => marked(kind.toLowerCase(), decode(kind, packet))
    require.cache[at].exports = Object.assign(wrapped, decode)
  }
  // It warns of types that it does not have, and goes on with null.
  let unclaimed
  console.warn = text => { if (/MODULE_NOT_FOUND|undefined/.test(String(text))) unclaimed = String(text) }
  const { PacketPeer } = require(name)
  return packet => {
    unclaimed = undefined
    const value = PacketPeer.get_var(packet)
    if (unclaimed && packet.length >= 4 && packet.readUInt16LE(0) < 27) throw new Unclaimed(unclaimed)
    // Null is all the sign that it gives of an error.
    if (value.type === 'null' && !(packet.length >= 4 && packet.readUInt16LE(0) === 0)) throw new Error('null')
    return { value }
  }
}

const PACKAGES = {
  '@gd-com/utils': name => gdCom(name, 'dist'),
  'gd-com': name => gdCom(name, 'src'),
  'godot-binary-serialization': godotBinarySerialization
}

/** One status byte, u32 consumed, u32 length, and so many bytes. */
function answer (decode, packet) {
  let status = 0
  let consumed = 0xffffffff
  let text
  try {
    const { value, length } = decode(packet)
    text = json(value)
    if (length >= 0 && length < consumed) consumed = length
  } catch (error) {
    status = error instanceof Unclaimed ? 2 : 1
    text = error.message
  }
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(9)
  head.writeUInt8(status, 0)
  head.writeUInt32LE(consumed, 1)
  head.writeUInt32LE(bytes.length, 5)
  return [head, bytes]
}

function serve (decode) {
  let waiting = Buffer.alloc(0)
  const chunk = Buffer.alloc(1 << 16)
  for (;;) {
    const read = fs.readSync(0, chunk)
    if (read === 0) return
    waiting = Buffer.concat([waiting, chunk.subarray(0, read)])
    const answers = []
    while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32LE(0)) {
      const end = 4 + waiting.readUInt32LE(0)
      answers.push(...answer(decode, Buffer.from(waiting.subarray(4, end))))
      waiting = waiting.subarray(end)
    }
    for (let out = Buffer.concat(answers); out.length > 0;) out = out.subarray(fs.writeSync(1, out))
  }
}

const name = process.argv[2]
if (!Object.hasOwn(PACKAGES, name)) {
  console.error(`usage: node responder.cjs ${Object.keys(PACKAGES).join('|')}`)
  process.exit(2)
}
serve(PACKAGES[name](name))
