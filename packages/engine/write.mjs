// Writes a packet, and two saves of the engine that are changed, for read.gd: node write.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode, Float, Typed } from '../npm/index.node.mjs';
import { open } from '../npm/file.node.mjs';

/** As in write.py. */
export const VALUE = {
  gold: 2n ** 53n + 1n,
  speed: new Float(2),
  at: new Typed('Vector2', [1, 2.5]),
  tint: new Typed('Color', [1, 0.5, 0, 1]),
  path: new Typed('NodePath', 'Camp/Tent:size'),
  raw: new Uint8Array([0, 255]),
  bag: ['lamp', 'rope', null, true],
  seen: new Map([[1, 'one'], ['1', 'eins']]),
};

/** The folder of the saves. */
export const SAVES = new URL('../../formats/godot3/golden/3.6.2/files/', import.meta.url);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  writeFileSync(join(folder, 'npm.packet'), encode(VALUE, 'godot3'));
  for (const [name, password] of [['encrypted', 'correct horse'], ['zstd']]) {
    const save = open(readFileSync(new URL(`small.${name}.save`, SAVES)), undefined, password);
    save.set('player/level', '50');
    save.set('player/name', 'Kim');
    writeFileSync(join(folder, `npm.${name}.save`), save.bytes());
  }
}
