// The types fit: `tsc` reads this, and nothing runs it.
import { decode, encode, engines, Float, Typed, type FormworkError, type Value } from 'formwork';
import { formats, make, open, recover, type Change, type File } from 'formwork/file';

const packet: Uint8Array = encode({ gold: 2n ** 60n, at: new Typed('Vector2', [1, new Float(2)]) }, 'godot3.6');
const value: Value = decode(packet);
if (value instanceof Map) for (const [key, of] of value) encode([key, of]);
const names: string[] = [...engines(), ...formats().map(it => it.name)];

const save: File = open(packet, names[0], 'password', 4);
const changes: Change[] = [...save.set('gold', '5'), ...save.setJson('bag/+', '"rope"', true), ...save.remove(['bag'])];
const words: string[] = changes.map(change => `${change.kind} ${change.path}: ${change.text}`);
const { bytes, losses } = save.convert('godot4');
const left: File = recover(bytes, 'save');
const start: number | undefined = left.place('gold')?.start;
const lengths: (number | null)[] = left.children('', 0, 10).map(child => child.length);
try {
  make('{}', 'alb1');
} catch (error) {
  const { offset, path, rule } = error as FormworkError;
  console.log(offset?.toFixed(), path, rule, words, losses.length, start, lengths, save.diff(left)[0]?.after);
}
// @ts-expect-error: there is no such kind of change.
const wrong: Change = { kind: 'lost', path: '', text: '' };
// @ts-expect-error: the bytes are not text.
decode('text');
console.log(wrong);
