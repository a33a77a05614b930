// Decoding and encoding beside @gd-com/utils, in one run: node bench.mjs FOLDER (where that package is installed).
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { decode, encode, Typed } from 'formwork';
import { open } from 'formwork/file';

const require = createRequire(`${resolve(process.argv[2] ?? '.')}/`);
const { getVar, putVar } = require('@gd-com/utils');
const value = { items: Array.from({ length: 20000 }, (_, at) => ({ name: `item ${at}`, count: at, weight: at + 0.5, tags: ['a', 'b'] })) };
const packet = Buffer.from(encode(value, 'godot3'));

function time(job, rounds = 8) {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    job();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
const rows = [
  ['decode', time(() => decode(packet, 'godot3')), time(() => getVar(packet))],
  ['encode', time(() => encode(value, 'godot3')), time(() => putVar(value))],
];
console.log(`${packet.length} bytes of Godot 3, ms of processor, the best of 8`);
for (const [what, ours, theirs] of rows) console.log(`${what}  formwork ${ours.toFixed(1)}  @gd-com/utils ${theirs.toFixed(1)}  ratio ${(ours / theirs).toFixed(2)}`);
let right = 0, all = 0;
for (const each of [null, true, 5, 'text', [1, 2], { a: 1 }, 1.5]) {
  all++;
  try { if (JSON.stringify(getVar(Buffer.from(encode(each, 'godot4'))).value) === JSON.stringify(each)) right++; } catch {}
}
console.log(`packets of Godot 4 that @gd-com/utils reads right: ${right} of ${all}`);

// What the worker of the page does.
const items = Array.from({ length: 200000 }, (_, at) => ({ name: `item ${at}`, count: at, at: new Typed('Vector2', [at, 1]) }));
const large = encode({ gold: 5, items, notes: 'x'.repeat(4.5e6) }, 'godot3');
let save = open(large);
console.log(`a save of ${large.length} bytes, ms of processor, the best of 4`);
const jobs = {
  open: () => { save.free(); save = open(large); },
  edit: () => save.set('gold', '7'),
  'edit deep': () => save.set('items/199999/count', '7'),
  undo: () => save.undo(),
  'one level': () => save.children('items', 199500, 500),
  place: () => save.place('items/199999/count'),
};
for (const [what, job] of Object.entries(jobs)) console.log(`${what.padEnd(10)} ${time(job, 4).toFixed(1)}`);
