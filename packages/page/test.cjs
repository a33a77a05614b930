// The page in a real browser: opened, edited, undone, converted, compared, saved; nothing is sent.
// usage: test.cjs PAGE.html FOLDER PROGRAM [FOLDER for pictures]
// FOLDER gets what the page saved, for an engine; PROGRAM is `formwork`, which changes the same files.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { chromium } = require('playwright-core');

const [page_file, written, program, pictures] = process.argv.slice(2);
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

(async () => {
  const { encode, decode, Float, Typed } = await import(pathToFileURL(resolve(__dirname, '../npm/index.node.mjs')).href);
  const { SAVES, VALUE } = await import(pathToFileURL(resolve(__dirname, '../engine/write.mjs')).href);
  const folder = mkdtempSync(join(tmpdir(), 'formwork-page-'));
  const value = {
    player: { name: 'Zoë', gold: 120, level: 3, hardcore: false, at: new Typed('Vector2', [-0, 2.5]), color: new Typed('Color', [1, 0.5, 0, 1]) },
    speed: new Float(2), bag: ['lamp', 'rope', 'a "quoted" key'], seen: Array.from({ length: 200000 }, (_, at) => at),
  };
  const save = join(folder, 'player.save'), other = join(folder, 'other.save'), cut = join(folder, 'cut.save');
  writeFileSync(save, encode(value, 'godot4'));
  writeFileSync(other, encode({ ...value, bag: ['lamp'], seen: [] }, 'godot4'));
  writeFileSync(cut, encode(value, 'godot4').slice(0, -16));

  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args });
  const page = await browser.newPage({ viewport: { width: 1200, height: 780 }, acceptDownloads: true });
  const requests = [], faults = [];
  page.on('request', request => requests.push(request.url()));
  page.on('pageerror', error => faults.push(error.message));
  page.on('dialog', dialog => dialog.accept(dialog.type() === 'prompt' ? 'correct horse' : undefined));
  const shot = async name => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
  const until = (what, ...args) => page.waitForFunction(what, ...args, { timeout: 60000 });
  const load = async (file, id = '#open') => {
    await page.evaluate(() => { window.opened = 0; });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click(id)]);
    await chooser.setFiles(file);
  };
  const download = async action => {
    const [it] = await Promise.all([page.waitForEvent('download'), action()]);
    return [it.suggestedFilename(), readFileSync(await it.path())];
  };
  const row = path => page.locator(`.row[data-path=${JSON.stringify(path)}]`);
  // Chooses a value, and waits until it can be edited.
  const choose = async path => {
    await row(path).click();
    await page.locator(`#form[data-path=${JSON.stringify(path)}]`).waitFor();
  };
  const change = async (action, changes) => {
    await action();
    await until(count => document.getElementById('changed').textContent === (count ? `Changes (${count})` : 'No changes'), changes);
  };

  await page.goto(pathToFileURL(resolve(page_file)).href);
  await until(() => window.loaded > 0);
  await load(save);
  await until(() => window.opened > 0);
  assert.match(await page.textContent('#about'), /godot4/);
  assert.match(await page.textContent('#game'), /Hollow Garden/);
  await until(() => /nothing is wrong/.test(document.getElementById('problems').textContent));

  // With the keyboard alone: down to `player`, open it, on to its gold.
  await page.focus('#tree');
  for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await row('player/gold').waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await until(() => document.activeElement?.id === 'value');
  await page.fill('#value', '999999');
  await change(() => page.keyboard.press('Enter'), 1);
  assert.equal(await row('player/gold').getAttribute('aria-level'), '2');

  await choose('player/hardcore');
  await change(() => page.locator('#form input[type=checkbox]').click(), 2);
  await choose('player/at');
  await page.locator('#form input').nth(1).fill('7');
  await change(() => page.locator('#form button.main').click(), 3);
  await choose('player/name');
  await page.fill('#form textarea', '[1] Grace "Amazing" Hopper');
  await change(() => page.locator('#form button.main').click(), 4);
  await choose('player/color');
  await page.locator('.swatch').evaluate(it => { it.value = '#0000ff'; it.dispatchEvent(new Event('change')); });
  await until(() => document.getElementById('changed').textContent === 'Changes (5)');
  await shot('page-edited');
  await choose('player/level');
  await page.fill('#value', 'many');
  await page.keyboard.press('Enter');
  await until(() => /expected/.test(document.getElementById('problem').textContent));

  const edited = {
    ...value,
    player: { ...value.player, gold: 999999, hardcore: true, at: new Typed('Vector2', [-0, 7]), name: '[1] Grace "Amazing" Hopper', color: new Typed('Color', [0, 0, 1, 1]) },
  };
  let [name, bytes] = await download(() => page.click('#save'));
  assert.equal(name, 'player.save');
  assert.equal(Buffer.compare(bytes, Buffer.from(encode(edited, 'godot4'))), 0);

  // An entry is added, one is removed, and everything is taken back.
  await choose('bag');
  await page.fill('#name', '+');
  await page.fill('#new', 'a map');
  await change(() => page.click('#adding button'), 6);
  for (const left of [5, 4, 3, 2, 1, 0]) await change(() => page.click('#undo'), left);
  await change(() => page.click('#redo'), 1);
  await change(() => page.click('#undo'), 0);
  [name, bytes] = await download(() => page.click('#save'));
  assert.equal(Buffer.compare(bytes, readFileSync(save)), 0);

  // Long lists are made as they are seen.
  await choose('seen');
  await page.keyboard.press('ArrowRight');
  await until(() => document.getElementById('rows').clientHeight > 200000 * 28);
  await page.keyboard.press('End');
  await row('seen/199999').waitFor();
  await page.locator('#form[data-path="seen/199999"]').waitFor();
  await page.fill('#value', '7');
  await change(() => page.keyboard.press('Enter'), 1);
  // It is still the one that is chosen.
  await page.locator('#form[data-path="seen/199999"]').waitFor();
  assert.equal(await row('seen/199999').getAttribute('aria-selected'), 'true');
  assert.ok((await page.locator('.row').count()) < 100, 'only what is seen is made');
  await change(() => page.click('#undo'), 0);

  // The fields of a game that is described: its limits and buttons.
  const gold = page.locator('#game input[type=number]').first();
  await gold.fill('1000000');
  await gold.dispatchEvent('change');
  await until(() => /^Gold: /.test(document.getElementById('problem').textContent));
  await change(() => page.click('#game button'), 1);
  assert.equal(await gold.inputValue(), '999999');
  await change(() => page.click('#undo'), 0);
  await page.fill('#search', 'ROPE');
  await row('bag/1').waitFor();
  await row('bag/1').click();
  // (The fields of the value before are there until these come.)
  await until(() => /rope/.test(document.getElementById('fields').textContent));
  await until(() => document.querySelector('#hex mark'));
  await shot('page-found');
  await page.fill('#search', '');

  // A second file that is dropped is compared.
  const dropped = await page.evaluateHandle(bytes => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(bytes)], 'other.save'));
    return files;
  }, [...readFileSync(other)]);
  await page.dispatchEvent('#tree', 'drop', { dataTransfer: dropped });
  await until(() => /Differences in other.save/.test(document.getElementById('differ').textContent));
  assert.match(await page.textContent('#differences'), /bag\/1/);
  [name, bytes] = await download(() => page.selectOption('#engine', 'godot3'));
  assert.equal(name, 'godot3-player.save');
  assert.equal(decode(bytes, 'godot3').player.gold, 120);

  await load(cut);
  await page.locator('#problem button').click();
  await until(() => window.opened > 0);
  assert.match(await page.textContent('#problem'), /Damaged/);
  await row('player').waitFor();

  // Saves of the engine, with a password and compressed, are changed for it; the program makes the same of them.
  for (const kind of ['encrypted', 'zstd']) {
    const file = join(fileURLToPath(SAVES), `small.${kind}.save`);
    await load(file);
    await until(() => window.opened > 0);
    await choose('player');
    await page.keyboard.press('ArrowRight');
    await choose('player/level');
    await page.fill('#value', '50');
    await change(() => page.keyboard.press('Enter'), 1);
    await choose('player/name');
    await page.fill('#form textarea', 'Kim');
    await change(() => page.keyboard.press('Enter'), 2);
    [name, bytes] = await download(() => page.click('#save'));
    assert.equal(name, `small.${kind}.save`);
    writeFileSync(join(written, `page.${kind}.save`), bytes);
    const same = join(folder, 'same.save');
    const of = kind === 'encrypted' ? ['--password', 'correct horse'] : [];
    execFileSync(program, ['set', file, 'player/level', '50', 'player/name', 'Kim', '-o', same, ...of]);
    assert.equal(Buffer.compare(bytes, readFileSync(same)), 0);
  }
  writeFileSync(other, encode(VALUE, 'godot4'));
  await load(other);
  await until(() => window.opened > 0);
  [name, bytes] = await download(() => page.selectOption('#engine', 'godot3'));
  writeFileSync(join(written, 'page.packet'), bytes);

  await page.setViewportSize({ width: 390, height: 844 });
  await load(save);
  await until(() => window.opened > 0);
  await row('player').click();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'nothing is wider than a phone');
  await shot('page-phone');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot('page-dark');

  // The page may not connect to anything, and did not.
  const sent = await page.evaluate(() => fetch('http://127.0.0.1:9/').then(() => true, () => false));
  assert.equal(sent, false);
  assert.deepEqual(requests.filter(url => !/^(file|blob|data):/.test(url) && !url.includes('127.0.0.1:9')), []);
  assert.deepEqual(faults, []);
  await browser.close();
  console.log('the page does what it says');
})().catch(error => { console.error(error); process.exit(1); });
