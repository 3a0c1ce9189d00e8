// The copy of Pi's session file, piece by piece.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Sandbox } from './world/sandbox.mjs';

const SESSION = 'T1-C1-1700000000.000100-s1';
const MAX = 256 * 1024;

let sandbox;
let file;

beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(join(sandbox.state, 'sessions'), { recursive: true });
  file = join(sandbox.state, 'sessions', `2026-09-03T10-00-00-000Z_${SESSION}.jsonl`);
});
afterEach(() => sandbox.remove());

const header = { type: 'session', version: 3, id: SESSION, timestamp: '2026-09-03T10:00:00.000Z', cwd: '/work' };
const message = (id, text, more = []) => ({ type: 'message', id, parentId: null, message: { role: 'user', content: [{ type: 'text', text }, ...more] } });
const lines = (...entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const sha256 = (content) => createHash('sha256').update(content).digest('hex');

const piece = (after, max = MAX) =>
  sandbox.run('transcript', SESSION, '--max', String(max), ...(after ? ['--offset', String(after.first + after.bytes), '--hash', after.hash] : []));
const textOf = ({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8');

/** The pieces there are after this one. */
function pieces(after, max) {
  const all = [];
  for (let last = after, more = true; more; ) {
    last = piece(last, max);
    more = last.more;
    all.push(last);
  }
  return all;
}

test('what is new since the last piece is told, and nothing twice', () => {
  const before = lines(header, message('a', 'é\u2028🙂'));
  writeFileSync(file, before);
  const first = piece();
  appendFileSync(file, lines(message('b', 'more')));
  const second = piece(first);
  const third = piece(second);

  assert.equal(textOf(first), before);
  assert.deepEqual([first.first, first.bytes, first.head, first.more], [0, Buffer.byteLength(before), true, false]);
  assert.equal(textOf(second), lines(message('b', 'more')));
  assert.deepEqual([second.first, second.head, second.hash], [first.bytes, false, sha256(readFileSync(file))]);
  assert.deepEqual([third.first, third.bytes, third.hash, third.more], [second.first + second.bytes, 0, second.hash, false]);
});

test('where Pi has written nothing yet there is no transcript', () => {
  assert.deepEqual(piece(), { missing: true });
  writeFileSync(join(sandbox.state, 'sessions', `2026_T1-C1-1700000000.000100-s11.jsonl`), lines(header));
  assert.deepEqual(piece(), { missing: true });
  assert.deepEqual(sandbox.run('transcript', '../../etc/passwd'), { missing: true });
});

test('a torn last line waits until it is whole', () => {
  const entry = lines(message('b', 'é'.repeat(50)));
  writeFileSync(file, lines(header) + entry.slice(0, 70));
  const torn = piece();
  appendFileSync(file, entry.slice(70));
  const whole = piece(torn);

  assert.equal(textOf(torn), lines(header));
  assert.equal(textOf(whole), entry);
});

test('a file that was written anew, shorter or as long as before, is told from its beginning', () => {
  writeFileSync(file, lines(header, message('a', 'one'), message('b', 'two')));
  const known = piece();
  const anew = lines(header, message('a', 'ONE'), message('b', 'two'), message('c', 'three'));
  writeFileSync(file, anew);
  const changed = piece(known);
  truncateSync(file, lines(header).length);
  const shorter = piece(changed);

  assert.deepEqual([changed.first, changed.head, textOf(changed)], [0, true, anew]);
  assert.deepEqual([shorter.first, shorter.head, textOf(shorter)], [0, true, lines(header)]);
});

test('a file that Pi goes on with after it was removed has no head, and says so', () => {
  writeFileSync(file, lines(header, message('a', 'one')));
  const known = piece();
  rmSync(file);
  appendFileSync(file, lines(message('b', 'two')));

  const headless = piece(known);

  assert.deepEqual([headless.first, headless.head, textOf(headless)], [0, false, lines(message('b', 'two'))]);
});

test('of several files of a session the one counts that Pi would resume', () => {
  const headless = join(sandbox.state, 'sessions', `2026-09-04_${SESSION}.jsonl`);
  writeFileSync(headless, lines(message('b', 'two')));
  writeFileSync(file, lines(header, message('a', 'one')));
  utimesSync(file, 1_000, 1_000);

  assert.equal(textOf(piece()), lines(header, message('a', 'one')));
});

test('an image is replaced by a note, wherever it stands', () => {
  const data = randomBytes(600_000).toString('base64');
  const image = { type: 'image', mimeType: 'image/png', data };
  const result = { type: 'message', id: 'b', parentId: 'a', message: { role: 'toolResult', content: [image], details: { again: [image] } } };
  writeFileSync(file, lines(header, message('a', 'look', [image]), result));

  const copied = piece();

  assert.ok(copied.gzip.length < 2_000);
  const [, asked, answered] = textOf(copied).trim().split('\n').map(JSON.parse);
  assert.match(asked.message.content[1].text, /image\/png, 600000 bytes/);
  assert.equal(asked.message.content[1].type, 'text');
  assert.match(answered.message.content[0].text, /image/);
  assert.match(answered.message.details.again[0].text, /image/);
});

test('a long file comes in pieces of which none is too large', () => {
  const entries = [header, ...Array.from({ length: 400 }, (_, at) => message(`m${at}`, randomBytes(6_000).toString('base64')))];
  writeFileSync(file, lines(...entries));

  const all = pieces();

  assert.ok(all.length > 5);
  all.forEach(({ gzip }) => assert.ok(Buffer.from(gzip, 'base64').length <= MAX));
  assert.equal(all.map(textOf).join(''), lines(...entries));
  assert.equal(all.at(-1).hash, sha256(readFileSync(file)));
});

test('a line that is too long for a piece keeps its place and loses of its strings what does not fit', () => {
  const noise = randomBytes(900_000).toString('base64');
  const many = { type: 'message', id: 'c', parentId: 'b', message: { role: 'user', content: Array.from({ length: 60_000 }, () => ({ text: randomBytes(6).toString('hex') })) } };
  writeFileSync(file, lines(header, message('a', 'before'), { ...message('b', noise), parentId: 'a' }, many, message('d', 'after')));

  const all = pieces();

  all.forEach(({ gzip }) => assert.ok(Buffer.from(gzip, 'base64').length <= MAX));
  const [, before, long, left, after] = all.map(textOf).join('').trim().split('\n').map(JSON.parse);
  assert.deepEqual([before.id, long.id, long.parentId, left.id, left.parentId, after.id], ['a', 'b', 'a', 'c', 'b', 'd']);
  assert.ok(long.message.content[0].text.startsWith(noise.slice(0, 60_000)));
  assert.match(long.message.content[0].text, /more characters/);
  assert.equal(left.type, 'custom');
});

test('lines that are no entries come as they are, and one without end is passed over', () => {
  const endless = join(sandbox.home, 'endless');
  writeFileSync(endless, Buffer.alloc(40 * 1024 * 1024, 'x'));
  writeFileSync(file, `${lines(header)}\n{"torn":\n`);
  appendFileSync(file, readFileSync(endless));
  appendFileSync(file, `\n${lines(message('a', 'after'))}`);

  const all = pieces();

  assert.equal(all.map(textOf).join(''), `${lines(header)}\n{"torn":\n${lines(message('a', 'after'))}`);
  assert.equal(all.at(-1).hash, sha256(readFileSync(file)));
});

test('what is no file is not read', () => {
  execFileSync('mkfifo', [file]);

  assert.throws(() => piece(), /no file/);
});
