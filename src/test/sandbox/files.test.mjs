// Files on their way out of the sandbox.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Sandbox } from './world/sandbox.mjs';

let sandbox;

beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

const show = (path, ...more) => sandbox.run('show', Buffer.from(path).toString('base64url'), ...more);
const write = (path, content) => {
  mkdirSync(join(sandbox.work, path, '..'), { recursive: true });
  writeFileSync(join(sandbox.work, path), content);
};

test('a shown file is copied to where nothing changes it', () => {
  const content = Buffer.alloc(3_000_000, 'some bytes, again and again');
  write('output/Übersicht 1.bin', content);
  symlinkSync('output/Übersicht 1.bin', join(sandbox.work, 'link'));

  const shown = show('link');
  write('output/Übersicht 1.bin', 'changed');

  const sha256 = createHash('sha256').update(content).digest('hex');
  assert.deepEqual(shown, { path: 'output/Übersicht 1.bin', name: 'Übersicht 1.bin', size: content.length, sha256, out: join(sandbox.state, 'out', sha256) });
  assert.deepEqual(readFileSync(shown.out), content);
});

test('what is no regular file below the work directory is not shown', () => {
  const secret = join(sandbox.home, 'secret');
  writeFileSync(secret, 'secret');
  mkdirSync(join(sandbox.home, 'work-2'));
  writeFileSync(join(sandbox.home, 'work-2', 'a'), 'a');
  symlinkSync(secret, join(sandbox.work, 'out'));
  symlinkSync('loop', join(sandbox.work, 'loop'));
  symlinkSync('/proc', join(sandbox.work, 'proc'));
  execFileSync('mkfifo', [join(sandbox.work, 'pipe')]);
  write('sparse', '');
  truncateSync(join(sandbox.work, 'sparse'), 2 ** 40);
  write('empty', '');

  const errors = Object.fromEntries(
    ['missing', 'out', secret, '../secret', '../work-2/a', 'loop', 'proc/self/environ', '/dev/zero', '.', 'pipe', 'sparse', 'a\0b', 'x'.repeat(5_000)].map((path) => [path, show(path).error]),
  );

  assert.deepEqual(Object.values(errors), [
    ...['missing', 'outside', 'outside', 'outside', 'outside', 'missing', 'outside', 'outside', 'outside', 'not_a_file', 'too_large', 'missing', 'missing'],
  ]);
  assert.equal(show('empty').size, 0);
  assert.equal(show('empty', '--max', '0').size, 0);
});

test('of what lies in output/display the newest twenty are shown, newest last', () => {
  assert.deepEqual(sandbox.run('display'), { files: [], more: 0 });
  for (let at = 0; at < 23; at++) {
    const path = `output/display/${at % 2 ? 'deep/' : ''}${at}.txt`;
    write(path, `file ${at}`);
    utimesSync(join(sandbox.work, path), 1_000 + at, 1_000 + at);
  }
  symlinkSync('/etc/passwd', join(sandbox.work, 'output/display/link'));
  write('output/display/huge', 'x'.repeat(100));

  const { files, more } = sandbox.run('display', '--max', '50');

  assert.equal(more, 4);
  assert.deepEqual(files.map(({ path }) => path).slice(-3), ['output/display/deep/21.txt', 'output/display/22.txt', 'output/display/huge']);
  assert.deepEqual(files.at(-1), { path: 'output/display/huge', error: 'too_large' });
  assert.equal(readFileSync(files[0].out, 'utf8'), 'file 4');
});
