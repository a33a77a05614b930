import test from 'node:test';
import assert from 'node:assert/strict';
import { encode, Typed } from 'formwork';
import { formats, make, open, recover } from 'formwork/file';

const value = { gold: 5, at: new Typed('Vector2', [1, 2.5]), bag: ['lamp', 'rope'] };
const packet = encode(value, 'godot3');

test('a save is changed, and the change taken back', () => {
  const save = open(packet, 'godot3');
  assert.equal(save.format, 'save');
  assert.deepEqual(save.children('', 0, 10).map(it => it.path), ['gold', 'at', 'bag']);
  assert.equal(save.set('gold', '9999')[0].text, 'gold: 5 -> 9999');
  assert.deepEqual(save.bytes(), encode({ ...value, gold: 9999 }, 'godot3'));
  save.setJson('bag/0', '"[1]"');
  assert.equal(save.get('bag/0'), '[1]');
  save.remove(['bag/0', 'bag/1']);
  assert.equal(save.changes().length, 3);
  while (save.undo());
  assert.deepEqual(save.bytes(), packet);
  assert.ok(save.redo());
  assert.throws(() => save.set('gold', 'many'), error => error.rule.startsWith('document'));
});

test('places, words, differences, other engines', () => {
  const save = open(packet, 'godot3');
  const { start, end } = save.place('bag/1');
  assert.deepEqual(save.content().slice(start, end), encode('rope', 'godot3'));
  assert.ok(save.fields('bag/1', 10).some(field => /rope/.test(field.value)));
  assert.deepEqual(save.search('ROPE', 5).map(it => it.path), ['bag/1']);
  const { bytes, losses } = save.convert('godot4');
  assert.deepEqual([losses.length, open(bytes, 'godot4').get('gold')], [0, 5]);
  const other = make('{"gold": 6}', 'godot3');
  assert.ok(save.diff(other).some(change => change.text === 'gold: 5 -> 6'));
});

test('damage costs what it is in', () => {
  const save = recover(packet.slice(0, -4), 'godot3');
  assert.equal(save.get('gold'), 5);
  assert.ok(save.lost.length > 0);
  assert.throws(() => open(new Uint8Array([255, 254, 253])), /known format/);
  assert.ok(formats().some(format => format.name === 'alb1'));
});
