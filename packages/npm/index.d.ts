/** The name of an engine, with or without its release: `godot4`, `godot3.6`, `pandemonium5`. */
export type Engine = 'godot2' | 'godot3' | 'godot4' | 'pandemonium' | (string & {});

/** A value of a type that JavaScript has not: `new Typed('Vector2', [1, 2.5])`. */
export class Typed {
  constructor(type: string, value: unknown);
  readonly type: string;
  readonly value: unknown;
}

/** A float that is a whole number: `new Float(2)` is 2.0, while 2 is an int. */
export class Float {
  constructor(value: number);
  readonly value: number;
}

/** What `decode` returns. Ints beyond 2^53 are bigints; dictionaries with other keys than texts are Maps. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Typed
  | Value[]
  | Map<Value, Value>
  | { [name: string]: Value };

export type { FormworkError } from './web.js';

/** Reads the packet of one value. Throws a {@link FormworkError}. */
export function decode(bytes: Uint8Array, engine?: Engine): Value;

/** Writes the packet of one value, as the engine does. Throws a {@link FormworkError}. */
export function encode(
  value: Value | Uint8Array | Int32Array | BigInt64Array | Float32Array | Float64Array | object,
  engine?: Engine,
): Uint8Array;

/** Returns the names of all engines. */
export function engines(): string[];
