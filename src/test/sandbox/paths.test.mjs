// Whatever path is shown, nothing comes out but regular files below the work directory.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const SECRET = 'what nobody may see';
const home = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-paths-')));
const work = join(home, 'work');
process.env.HOME = home;
mkdirSync(join(work, 'output', 'display'), { recursive: true });
process.chdir(work);
const { show } = await import('../../main/sandbox/keeper/files.mjs');

const CASES = Number(process.env.ATTACK_WHOLE ? 4_000 : 400);
const SWAPS = Number(process.env.ATTACK_WHOLE ? 4_000 : 300);

after(() => rmSync(home, { recursive: true, force: true }));

/** The same sequence for the same seed. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function row(what, cases, through) {
  mkdirSync(new URL('../../../target/attack', import.meta.url), { recursive: true });
  const name = what.replaceAll(/[^a-z]+/g, '-');
  writeFileSync(new URL(`../../../target/attack/s7-${name}.row`, import.meta.url), `S7\t${what}\t${cases}\t${through.length}\t\n`);
  assert.deepEqual(through, [], what);
}

test('no path leads out of the work directory', () => {
  writeFileSync(join(home, 'secret'), SECRET);
  writeFileSync(join(work, 'inside'), 'inside');
  mkdirSync(join(home, 'work-2'));
  writeFileSync(join(home, 'work-2', 'secret'), SECRET);
  symlinkSync(join(home, 'secret'), join(work, 'to-secret'));
  symlinkSync(home, join(work, 'to-home'));
  symlinkSync('/', join(work, 'to-root'));
  symlinkSync('to-again', join(work, 'to-again'));
  execFileSync('mkfifo', [join(work, 'pipe')]);
  const parts = ['..', '.', '', 'secret', 'inside', 'work', 'work-2', 'to-secret', 'to-home', 'to-root', 'to-again', 'pipe', 'output', 'proc', 'self', 'environ', 'fd', '0', 'etc', 'passwd', 'dev', 'zero', '~', '$HOME', '%2e%2e', '..\\', '\u202e', 'x'.repeat(300), 'a\0b', '\ud800', home];
  const next = random(Number(process.env.SEED ?? 1));
  const through = [];
  let shown = 0;
  for (let at = 0; at < CASES; at++) {
    const path = `${next(4) ? '' : '/'}${Array.from({ length: 1 + next(6) }, () => parts[next(parts.length)]).join('/')}`;
    const found = show(path, 1_000_000);
    if (!found.error) {
      shown++;
      const content = readFileSync(found.out, 'utf8');
      if (content !== 'inside' || found.path !== 'inside') {
        through.push(path);
      }
    }
  }
  assert.ok(shown > 0);
  row('paths that are shown', CASES, through);
});

test('a path that becomes another one while it is read shows what was opened, or nothing', async () => {
  writeFileSync(join(home, 'other'), SECRET);
  mkdirSync(join(work, 'a'));
  writeFileSync(join(work, 'a', 'file'), 'inside');
  mkdirSync(join(home, 'b'));
  writeFileSync(join(home, 'b', 'file'), SECRET);
  // By turns the file is a link out, the folder is one, and both are what they should be.
  const swapping = spawn(process.execPath, ['-e', `
    const { renameSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
    process.chdir(${JSON.stringify(work)});
    for (let at = 0; ; at++) {
      try {
        symlinkSync(at % 2 ? '../other' : 'inside', 'next'); renameSync('next', 'swapped');
        symlinkSync(at % 2 ? '../b' : 'a', 'folder-next'); renameSync('folder-next', 'folder');
        if (at % 50 === 0) process.stdout.write('.');
      } catch (error) { rmSync('next', { force: true }); rmSync('folder-next', { force: true }); }
    }`], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((go) => swapping.stdout.once('data', go));
  swapping.stdout.resume();
  const through = [];
  const seen = { shown: 0, refused: 0 };
  try {
    for (let at = 0; at < SWAPS; at++) {
      for (const path of ['swapped', 'folder/file']) {
        const found = show(path, 1_000_000);
        seen[found.error ? 'refused' : 'shown']++;
        if (!found.error && readFileSync(found.out, 'utf8') !== 'inside') {
          through.push(`${path} at ${at}`);
        }
      }
    }
  } finally {
    swapping.kill();
    await once(swapping, 'exit');
  }
  assert.ok(seen.shown > 0, JSON.stringify(seen));
  row('paths that change while they are read', 2 * SWAPS, through);
});
