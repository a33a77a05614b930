import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { decode, encode, engines, Float, Typed } from 'formwork';

const formats = new URL('../../../formats/', import.meta.url);
const golden = {
  godot2: 'godot2/golden',
  'godot3.2': 'godot3/golden/3.2.3',
  'godot3.6': 'godot3/golden/3.6.2',
  'godot4.6': 'godot4/golden/4.6.3',
  'godot4.7': 'godot4/golden/4.7-dev',
  pandemonium: 'pandemonium/golden',
};

test('the values of every engine come back byte for byte', () => {
  let count = 0;
  for (const [engine, folder] of Object.entries(golden)) {
    for (const line of readFileSync(new URL(`${folder}/values.jsonl`, formats), 'utf8').split('\n').filter(Boolean)) {
      const { hex, name } = JSON.parse(line);
      if (!hex) continue;
      const packet = Buffer.from(hex, 'hex');
      assert.equal(Buffer.from(encode(decode(packet, engine), engine)).toString('hex'), hex, `${engine}: ${name}`);
      count++;
    }
  }
  assert.ok(count > 400, `${count}`);
});

test('values of JavaScript come back', () => {
  const at = new Typed('Vector2', [1, 2.5]);
  for (const value of [
    null, true, 5, -7, 2n ** 62n, -(2n ** 63n), 1.5, new Float(2), new Float(-0), Infinity, NaN,
    'Ünïque "q" {"$real":1}', [1, [2]], { a: { b: [null] } }, { at }, at,
    new Map([[1, 'one'], ['1', 'eins'], [at, 'there']]), new Map([['b', 1], ['2', 2]]), new Map([['$Vector2', [1]]]),
  ])
    assert.deepEqual(decode(encode(value)), value);
  assert.deepEqual(decode(encode({ $Vector2: 'a key' })), new Map([['$Vector2', 'a key']]));
  assert.deepEqual(decode(encode(new Uint8Array([1, 2, 255]))).type, 'PackedByteArray');
  assert.deepEqual(decode(encode(new Float32Array([1, -0]))), new Typed('PackedFloat32Array', [1, -0]));
});

test('faults say where', () => {
  assert.throws(() => decode(new Uint8Array([4, 0, 0, 0, 9, 0, 0, 0, 65])), error => error.offset === 8 && /needed/.test(error.message));
  assert.throws(() => encode(Symbol('x')), TypeError);
  assert.throws(() => encode(2n ** 80n), /expected/);
  assert.throws(() => decode(new Uint8Array(4), 'unreal'), /unreal/);
  assert.ok(engines().includes('godot3.6'));
});
