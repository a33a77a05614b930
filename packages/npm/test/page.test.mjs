// The code on the page docs/javascript.md runs.
import test from 'node:test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'formwork';

test('the code on the page runs', async () => {
  const page = readFileSync(new URL('../../../docs/javascript.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code);
  const here = name => JSON.stringify(new URL(`../${name}.node.mjs`, import.meta.url).href);
  const code = blocks.join('\n').replaceAll("'formwork/file'", here('file')).replaceAll("'formwork'", here('index'));
  process.chdir(mkdtempSync(join(tmpdir(), 'formwork-page-')));
  writeFileSync('player.save', encode({ player: { name: 'Kim', gold: 100, bag: ['lamp', 'rope', 'key', 'map'] } }));
  await import(`data:text/javascript,${encodeURIComponent(code)}`);
});
