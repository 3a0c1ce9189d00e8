// What programs have done on the machine: once each, in the work directory, and told within bounds.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Sandbox, canMount, image, until } from './world/sandbox.mjs';

let sandbox;
let number = 0;

beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const newId = () => `op-test${String((number += 1)).padStart(4, '0')}`;
const words = (wish) => Buffer.from(JSON.stringify(wish)).toString('base64url');
const ask = (id, ...more) => sandbox.run('perform', id, ...more, '--wait', '20');
const request = (id) => readFileSync(join(sandbox.state, 'performed', id, 'request'), 'utf8');
const given = (id, wish) => {
  mkdirSync(join(sandbox.state, 'performed', id), { recursive: true });
  writeFileSync(join(sandbox.state, 'performed', id, 'request'), JSON.stringify(wish));
};
const done = (wish) => ask(newId(), words(wish)).result;
const execute = (language, code, more) => ({ kind: 'execute', language, code, timeout: 20, max_output: 65_536, ...more });
const file = (...path) => join(sandbox.work, ...path);

test('code of each language runs in the work directory and tells how it ended', () => {
  writeFileSync(file('beside.py'), 'answer = 42');
  writeFileSync(file('beside.mjs'), 'export const answer = 43;');

  const python = done(execute('python', 'import beside; print(beside.answer)'));
  const node = done(execute('node', 'import { answer } from "./beside.mjs"; console.log(answer)'));
  const bash = done(execute('bash', 'pwd; echo oops >&2; exit 7'));

  assert.equal(python.stdout, '42\n', python.stderr);
  assert.equal(node.stdout, '43\n', node.stderr);
  assert.deepEqual([bash.ok, bash.exit_code, bash.stdout, bash.stderr], [false, 7, `${sandbox.work}\n`, 'oops\n']);
});

test('the same id is the same operation, however often it is asked for', () => {
  const id = newId();
  const wish = words(execute('bash', 'echo x >> times; wc -l < times'));

  const answers = [ask(id, wish), ask(id, wish), ask(id)];

  answers.forEach((answer) => assert.equal(answer.result.stdout.trim(), '1'));
  assert.equal(sandbox.run('perform', newId()).state, 'unknown');
});

test('what takes too long is ended with all that it began', async () => {
  const result = done(execute('bash', 'sleep 300 & sleep 300', { timeout: 1 }));

  assert.deepEqual([result.ok, result.timed_out, result.exit_code], [false, true, 143]);
  await until(() => sandbox.processes().length === 0, 'nothing is left');
});

test('of much output the beginning and the end are told, and whole characters', () => {
  const result = done(execute('bash', 'for i in $(seq 1 3000); do printf "é%04d " $i; done', { max_output: 1_001 }));

  assert.equal(result.truncated, true);
  assert.equal(result.stdout_bytes, 21_000);
  assert.match(result.stdout, /^é0001 .*\n\[20000 bytes are left out here\]\n.* é3000 $/s);
  assert.ok(!result.stdout.includes('\ufffd'));
  const exactly = done(execute('bash', 'printf "%01000d" 0', { max_output: 1_000 }));
  assert.deepEqual([exactly.truncated, exactly.stdout.length], [false, 1_000]);
});

test('output can be listened to by offset while it comes', () => {
  const id = newId();
  const first = ask(id, words(execute('bash', 'echo one; until [ -e go ]; do sleep 0.05; done; echo two')), '--stdout', '0');
  assert.deepEqual([first.state, first.output.stdout], ['running', { next: 4, text: 'one\n' }]);

  writeFileSync(file('go'), '');
  const second = ask(id, '--stdout', '4');

  assert.deepEqual(second.output.stdout, { next: 8, text: 'two\n' });
  assert.equal(ask(id).result.stdout, 'one\ntwo\n');
});

test('memory has a limit where one is wanted', () => {
  const result = done(execute('python', 'bytearray(10**9)', { memory_mb: 256 }));

  assert.match(result.stderr, /MemoryError/);
  assert.equal(done(execute('node', 'console.log(1)', { memory_mb: 256 })).stdout, '1\n');
});

test('programs see the variables they are given and no others of ours', () => {
  const id = newId();
  const { result } = ask(id, words(execute('bash', 'env', { env: { COLOUR: 'blue' } })));

  assert.match(result.stdout, /^COLOUR=blue$/m);
  assert.ok(!request(id).includes('blue'));
  assert.ok(!/GORKIE_MODEL_KEY|^GORKIE=/m.test(result.stdout), result.stdout);
});

test('what has come into output/ is kept aside with its type, size and hash', () => {
  mkdirSync(file('output'));
  writeFileSync(file('output', 'old.txt'), 'old');
  utimesSync(file('output', 'old.txt'), 1, 1);
  const id = newId();

  const { artifacts } = ask(id, words(execute('bash', 'printf abc > output/new.csv; ln -s /etc/passwd output/link'))).result;

  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.deepEqual(artifacts, [{ path: 'output/new.csv', name: 'new.csv', type: 'text/csv', size: 3, sha256 }]);
  writeFileSync(file('output', 'new.csv'), 'changed');
  assert.equal(readFileSync(join(sandbox.state, 'performed', id, 'artifacts', sha256), 'utf8'), 'abc');
});

test('what is moved there with an old date has come there too', () => {
  mkdirSync(file('output'));
  writeFileSync(file('report.csv'), 'abc');
  utimesSync(file('report.csv'), 1, 1);

  const { artifacts } = done(execute('bash', 'mv report.csv output/'));

  assert.deepEqual(artifacts.map(({ name }) => name), ['report.csv']);
});

test('a secret that is given once more to a program that has begun stays nowhere', async () => {
  const id = newId();
  given(id, execute('bash', 'until [ -e go ]; do sleep 0.05; done; echo $COLOUR', { env: { COLOUR: 'blue' } }));
  sandbox.run('perform', id, '--wait', '0');
  await until(() => existsSync(join(sandbox.state, 'performed', id, 'state')));

  given(id, execute('bash', 'true', { env: { COLOUR: 'blue' } }));
  sandbox.run('perform', id, '--wait', '0');

  assert.ok(!request(id).includes('blue'));
  writeFileSync(file('go'), '');
  assert.equal(ask(id).result.stdout, 'blue\n');
});

test('whoever listens to what has not begun does not begin it', () => {
  const id = newId();
  given(id, execute('bash', 'touch begun'));

  assert.deepEqual(ask(id, '--stdout', '0'), { state: 'unknown' });
  assert.deepEqual(readdirSync(join(sandbox.state, 'performed', id)), ['request']);
});

test('what is being brought in for a copy is not put away by others', () => {
  const id = newId();
  mkdirSync(join(sandbox.state, 'performed', id, 'in', 'try-1'), { recursive: true });
  const size = 501 * 1024 * 1024;
  writeFileSync(join(sandbox.state, 'performed', id, 'in', 'try-1', '0'), '');
  truncateSync(join(sandbox.state, 'performed', id, 'in', 'try-1', '0'), size);

  done(execute('bash', 'true'));

  const { result } = ask(id, words({ kind: 'copy', in: 'try-1', files: [{ path: 'large', artifact: 'art-a' }] }));
  assert.equal(result.files[0].size, size);
});

test('whoever listens to what was written does not write it again', () => {
  const id = newId();
  given(id, { kind: 'write', path: 'a.txt', content: 'old' });
  assert.equal(ask(id).result.size, 3);
  writeFileSync(file('a.txt'), 'newer');

  assert.equal(existsSync(join(sandbox.state, 'performed', id, 'request')), false);
  given(id, { kind: 'write', path: 'a.txt', content: 'old' });
  assert.deepEqual(ask(id, '--stdout', '0'), { state: 'unknown' });
  assert.equal(readFileSync(file('a.txt'), 'utf8'), 'newer');
});

test('what was brought in is copied once and kept no second time; what is missing is told by itself', () => {
  const id = newId();
  for (const one of ['try-1', 'try-2']) {
    mkdirSync(join(sandbox.state, 'performed', id, 'in', one), { recursive: true });
    writeFileSync(join(sandbox.state, 'performed', id, 'in', one, '0'), 'abc');
  }
  const files = [{ path: 'a', artifact: 'art-a' }, { path: 'b', artifact: 'art-b', error: 'missing' }, { path: 'c', content: 'c' }];

  const { result } = ask(id, words({ kind: 'copy', in: 'try-1', files }));

  assert.deepEqual(result.files, [{ path: 'a', size: 3 }, { path: 'b', error: 'missing' }, { path: 'c', size: 1 }]);
  assert.deepEqual(readdirSync(join(sandbox.state, 'performed', id, 'in')), ['try-2']);
  assert.deepEqual(readdirSync(sandbox.work).sort(), ['a', 'c']);
});

test('a full disk is called by its name', { skip: canMount() ? false : 'no disk can be mounted here' }, () => {
  for (const wish of [execute('bash', 'true'), { kind: 'write', path: 'a', content: 'x'.repeat(5_000) }]) {
    assert.equal(sandbox.runOnFullDisk('perform', newId(), words(wish), '--wait', '20').result.error, 'disk_full');
  }
});

test('one that the machine did not survive is lost and not begun again', async () => {
  const id = newId();
  sandbox.run('perform', id, words(execute('bash', 'echo x >> times; sleep 300')), '--wait', '0');
  await until(() => existsSync(file('times')) && readFileSync(file('times'), 'utf8') === 'x\n', 'it runs');
  await sandbox.kill();

  assert.equal(ask(id).result.error, 'lost');
  assert.equal(readFileSync(file('times'), 'utf8'), 'x\n');
});

test('a file is written with its folders and read by lines, whatever its length', () => {
  const content = Array.from({ length: 5_000 }, (_, line) => `line ${line + 1}`).join('\n');
  assert.equal(done({ kind: 'write', path: 'a/b/c.txt', content }).size, content.length);

  const first = done({ kind: 'read', path: 'a/b/c.txt', limit: 2 });
  const last = done({ kind: 'read', path: 'a/b/c.txt', offset: 4_999 });

  assert.deepEqual([first.content, first.next_offset, first.truncated], ['line 1\nline 2\n', 3, true]);
  assert.deepEqual([last.content, last.next_offset, last.truncated], ['line 4999\nline 5000', undefined, false]);
  assert.equal(done({ kind: 'read', path: 'a/b/c.txt' }).next_offset, 2_001);
});

test('bytes come inline up to 500 KiB, and as an artifact above', () => {
  writeFileSync(file('at'), Buffer.alloc(500 * 1024, 7));
  writeFileSync(file('above'), Buffer.alloc(500 * 1024 + 1, 7));

  assert.equal(Buffer.from(done({ kind: 'read_binary', path: 'at' }).base64, 'base64').length, 500 * 1024);
  assert.equal(done({ kind: 'read_binary', path: 'above' }).artifact.size, 500 * 1024 + 1);
  assert.equal(done({ kind: 'read', path: 'at' }).error, undefined);
  writeFileSync(file('nul'), 'a\0b');
  assert.equal(done({ kind: 'read', path: 'nul' }).error, 'binary');
});

test('what is too large to be fetched is not copied', () => {
  writeFileSync(file('sparse'), '');
  truncateSync(file('sparse'), 2 ** 40);

  assert.equal(done({ kind: 'read_binary', path: 'sparse' }).error, 'too_large');
});

test('no path leads out of the work directory', () => {
  writeFileSync(join(sandbox.home, 'secret'), 'secret');
  symlinkSync(sandbox.home, file('out'));
  symlinkSync(join(sandbox.home, 'secret'), file('link'));
  for (const path of ['../secret', `${sandbox.home}/secret`, 'out/secret', 'link', 'a/../../secret', '/etc/passwd', 'a\0b', '/proc/self/environ']) {
    for (const kind of ['read', 'read_binary', 'write', 'grep', 'glob']) {
      const result = done({ kind, path, content: 'x', pattern: '.' });
      assert.equal(result.error, 'outside', `${kind} ${path}: ${JSON.stringify(result)}`);
    }
  }
  assert.equal(readFileSync(join(sandbox.home, 'secret'), 'utf8'), 'secret');
});

test('many files are copied in, and one that cannot be keeps no other out', () => {
  const id = newId();
  const incoming = join(sandbox.state, 'performed', id, 'in', 'try-1');
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, '1'), 'brought');
  const files = [{ path: 'a/one', content: '1' }, { path: 'a/two', artifact: 'art' }, { path: '../three', content: '3' }, { path: 'a/four', base64: 'NA==' }];

  const { result } = ask(id, words({ kind: 'copy', in: 'try-1', files }));

  assert.deepEqual(result.files, [{ path: 'a/one', size: 1 }, { path: 'a/two', size: 7 }, { path: '../three', error: 'outside' }, { path: 'a/four', size: 1 }]);
  assert.equal(readFileSync(file('a', 'two'), 'utf8'), 'brought');
});

test('what is no regular file is not waited for', () => {
  spawnSync('mkfifo', [file('pipe')]);

  assert.equal(done({ kind: 'read', path: 'pipe' }).error, 'not_a_file');
  assert.equal(done({ kind: 'write', path: '.', content: '' }).error, 'not_a_file');
  assert.equal(done({ kind: 'read', path: 'none' }).error, 'missing');
});

test('a pattern is a pattern, whatever it looks like', () => {
  writeFileSync(file('a.txt'), '--pre=touch pwned\n$(touch pwned)\n`touch pwned`\nplain');
  for (const pattern of ['--pre=touch pwned', '\\$\\(touch', '`touch pwned`', "'; touch pwned; '"]) {
    const { matches } = done({ kind: 'grep', pattern });
    assert.equal(matches.length, pattern.startsWith("'") ? 0 : 1, pattern);
  }
  assert.equal(done({ kind: 'grep', pattern: '(' }).error, 'bad_pattern');
  assert.deepEqual(done({ kind: 'grep', pattern: 'PLAIN', ignore_case: true }).matches, [{ path: 'a.txt', line: 4, text: 'plain' }]);
  assert.equal(done({ kind: 'grep', pattern: '.', limit: 2 }).truncated, true);
  assert.deepEqual(done({ kind: 'glob', pattern: '$(touch pwned)' }).paths, []);
  assert.equal(existsSync(file('pwned')), false);
});

test('files are found newest first, without what is hidden', () => {
  for (const [name, at] of [['b.txt', 2], ['a.txt', 3], ['.hidden', 4], ['sub/c.txt', 1]]) {
    mkdirSync(join(file(name), '..'), { recursive: true });
    writeFileSync(file(name), '');
    utimesSync(file(name), at, at);
  }

  assert.deepEqual(done({ kind: 'glob', pattern: '**/*.txt' }), { paths: ['a.txt', 'b.txt', 'sub/c.txt'], truncated: false });
  assert.deepEqual(done({ kind: 'glob', pattern: '*.txt', path: 'sub' }).paths, ['sub/c.txt']);
  assert.deepEqual(done({ kind: 'glob', pattern: '*', limit: 1 }), { paths: ['a.txt'], truncated: true });
});

/** As it is within the sandbox, with another limit. */
function within(milliseconds, wish, more = {}) {
  const script = `import { ${wish.kind} } from ${JSON.stringify(join(image, 'keeper', 'folder.mjs'))};
    console.log(JSON.stringify(await ${wish.kind}(${JSON.stringify(wish)}, ${milliseconds}).catch(({ word }) => ({ word }))));`;
  const { stdout } = spawnSync(join(image, 'bin', 'node'), ['--input-type=module', '--eval', script], { cwd: sandbox.work, env: { ...sandbox.environment, ...more }, encoding: 'utf8' });
  return JSON.parse(stdout);
}

test('whoever looks for too much, or for too long, is told so', () => {
  writeFileSync(file('a'.repeat(250)), 'a\n'.repeat(3_000_000));
  writeFileSync(file('b'), 'b\n');

  assert.equal(within(500, { kind: 'glob', pattern: '{1..99999999}' }).word, 'bad_pattern');
  assert.equal(within(500, { kind: 'glob', pattern: `${'*a'.repeat(20)}b` }).word, 'bad_pattern');
  // One that never comes to an end.
  writeFileSync(join(sandbox.home, 'rg'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const late = within(50, { kind: 'grep', pattern: 'b$' }, { PATH: `${sandbox.home}:${process.env.PATH}` });
  assert.deepEqual([late.matches, late.truncated], [[], true]);
  assert.equal(done({ kind: 'grep', pattern: 'a\0b' }).error, 'bad_pattern');
  assert.equal(done({ kind: 'glob', pattern: 'a\0b' }).paths.length, 0);
});

test('of what is found no more is told than goes into an answer', () => {
  const long = 'x'.repeat(240);
  mkdirSync(file(long, long, long), { recursive: true });
  for (let number = 0; number < 400; number += 1) {
    writeFileSync(file(long, long, long, String(number)), '');
  }

  const { paths, truncated } = done({ kind: 'glob', pattern: '**' });

  assert.ok(truncated && paths.length > 300 && paths.join('').length <= 256 * 1024, `${paths.length}`);
});

test('a name that no file can have is told as that', () => {
  const path = `${'n'.repeat(300)}/x`;

  assert.equal(done({ kind: 'write', path, content: 'x' }).error, 'not_a_file');
  assert.equal(done({ kind: 'read', path }).error, 'missing');
  assert.deepEqual(done({ kind: 'copy', files: [{ path: 'n'.repeat(300), content: '' }] }).files.map(({ error }) => error), ['not_a_file']);
});

test('of what was done long ago nothing is kept', () => {
  const old = newId();
  ask(old, words(execute('bash', 'true')));
  const folder = join(sandbox.state, 'performed', old);
  utimesSync(folder, 1, 1);

  done(execute('bash', 'true'));

  assert.equal(existsSync(folder), false);
  rmSync(folder, { recursive: true, force: true });
});
