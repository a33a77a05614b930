#!/usr/bin/env node
// Puts the module, its JavaScript and the descriptions of games into the one file: build GLUE.js MODULE.wasm OUT.html
const { execFileSync } = require('node:child_process');
const { readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { gzipSync } = require('node:zlib');

const [glue, wasm, out] = process.argv.slice(2);
const games = join(__dirname, 'games');
let commit = '';
try { commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: __dirname }).toString().trim(); } catch {}
const parts = {
  WASM: gzipSync(readFileSync(wasm), { level: 9 }).toString('base64'),
  GLUE: readFileSync(glue, 'utf8'),
  // (A `<` could end the script that has them.)
  GAMES: JSON.stringify(readdirSync(games).sort().map(name => JSON.parse(readFileSync(join(games, name), 'utf8')))).replaceAll('<', '\\u003c'),
  COMMIT: commit,
};
const page = readFileSync(join(__dirname, 'page.html'), 'utf8').replace(/\/\*(WASM|GLUE|GAMES|COMMIT)\*\//g, (_, name) => parts[name]);
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes`);
