// The keeper with a Pi that does as it is told, for faults.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { Sandbox, alive, canMount, imageWith, parsed, until } from './world/sandbox.mjs';

const image = imageWith(join(import.meta.dirname, 'world', 'fake-pi.mjs'));
let sandbox;

after(() => rmSync(image, { recursive: true }));
beforeEach(() => (sandbox = new Sandbox(image)));
afterEach(() => sandbox.remove());

const settled = (record) => record.type === 'agent_settled';
const heard = () =>
  existsSync(join(sandbox.home, 'heard')) ? parsed(readFileSync(join(sandbox.home, 'heard'))).filter(({ type }) => type !== 'get_state') : [];
const raw = (...lines) => `raw:${Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + '\n').join('')).toString('base64')}`;
const toolRun = (text) => ({ type: 'tool_execution_end', toolCallId: 'c', toolName: 'bash', result: { content: [{ type: 'text', text }] }, isError: false });

test('a journal read from every byte offset is the same journal', async () => {
  const line = sandbox.attach().start().prompt('m1', raw(toolRun('a\u2028b\u2029c\u0085d'), toolRun('𝄞🙂\u007f\u0000\u001b[31m\r'), toolRun('é'.repeat(300))));
  await line.next(settled);
  const whole = await line.has(sandbox.journal().length);

  // Through the command where a character or a line is cut, in this process everywhere else.
  const { JournalReader } = await import(`${image}/keeper/journal.mjs`);
  for (let offset = 0; offset <= whole.length; offset++) {
    const reader = new JournalReader(join(sandbox.state, 'journal'), offset);
    assert.deepEqual(Buffer.concat([whole.subarray(0, offset), reader.next() ?? Buffer.alloc(0)]), whole);
    reader.close();
  }
  for (const offset of [1, whole.indexOf('🙂') + 2, whole.indexOf('\u2028') + 1, whole.lastIndexOf('\n', -2), whole.length]) {
    const { data, offset: from } = sandbox.run('read', '--fence', '1', '--offset', String(offset));
    assert.equal(from, offset);
    assert.deepEqual(Buffer.concat([whole.subarray(0, offset), Buffer.from(data, 'base64')]), whole);
  }
  const [separators, controls] = parsed(whole).filter(({ type }) => type === 'tool_execution_end');
  assert.equal(separators.result.content[0].text, 'a\u2028b\u2029c\u0085d');
  assert.equal(controls.result.content[0].text, '𝄞🙂\u007f\u0000\u001b[31m\r');
});

test('input cut into single bytes is understood, and what is no command is called wrong', async () => {
  const line = sandbox.attach();
  line.start();
  const text = `null\n{"give":{"id":"m0","command":null}}\n{"give":{"id":"../m","command":{"type":"prompt"}}}\n${JSON.stringify({
    give: { id: 'm1', command: { type: 'prompt', message: 'run:é\u2028🙂\u007f' } },
  })}\n`;
  for (const byte of Buffer.from(text)) {
    line.child.stdin.write(Buffer.of(byte));
  }

  const asked = await line.next((record) => record.message?.command === 'm1');

  assert.ok(asked);
  assert.equal(line.notes.filter(({ wrong }) => wrong).length, 3);
  assert.deepEqual(heard(), [{ type: 'prompt', message: 'run:é\u2028🙂\u007f', id: 'm1' }]);
});

test('a prompt of a megabyte arrives and one of more than two is called wrong', async () => {
  const long = `run:${'x'.repeat(1024 * 1024)}`;
  const line = sandbox.attach().start().prompt('m1', 'x'.repeat(2 * 1024 * 1024)).prompt('m2', long);

  await line.next(settled);

  assert.equal(line.notes.filter(({ wrong }) => wrong).length, 1);
  assert.deepEqual(heard().map(({ message }) => message.length), [long.length]);
});

test('the end of a run tells how many files there are to be looked at', async () => {
  const line = sandbox.attach().start().prompt('m1', 'run:1');
  assert.equal((await line.next(settled)).displayed, 0);
  mkdirSync(join(sandbox.work, 'output', 'display', 'deep'), { recursive: true });
  writeFileSync(join(sandbox.work, 'output', 'display', 'deep', 'plot.png'), 'a plot');

  line.prompt('m2', 'run:2');

  assert.equal((await line.next(settled)).displayed, 1);
});

test('a command is given once however often it comes', async () => {
  const line = sandbox.attach().start().prompt('m1', 'run:1').prompt('m1', 'run:1');
  await line.next(settled);
  await line.close();
  const { pid } = sandbox.status();
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));

  const next = sandbox.attach({ fence: 2, offset: line.journal.length }).start().prompt('m1', 'run:1').prompt('m2', 'run:2');
  await next.next((record) => record.message?.command === 'm2');
  await next.next(settled);

  assert.deepEqual(heard().map(({ id }) => id), ['m1', 'm2']);
  assert.deepEqual(readdirSync(join(sandbox.state, 'inbox')), []);
});

test('a command of which only the journal knows is not given any more', async () => {
  const line = sandbox.attach().start();
  await line.type('keeper_ready');
  await line.close();
  const { pid } = sandbox.status();
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  // As a keeper leaves it that ends between the two.
  const segment = readdirSync(join(sandbox.state, 'journal')).find((name) => /^\d+$/.test(name));
  const told = { type: 'keeper_command', id: 'm1', fence: 1, command: 'prompt' };
  appendFileSync(join(sandbox.state, 'journal', segment), `${JSON.stringify(told)}\n`);

  const next = sandbox.attach({ fence: 2, offset: sandbox.journal().length }).start().prompt('m1', 'run:1').prompt('m2', 'run:2');
  await next.next((record) => record.message?.command === 'm2');
  await next.next(settled);

  assert.deepEqual(heard().map(({ id }) => id), ['m2']);
});

test('a lower fence is refused, before and after a restart', async () => {
  const old = sandbox.attach({ fence: 5 }).start();
  await old.type('keeper_ready');
  const young = sandbox.attach({ fence: 7 });
  await young.note('hello');
  await until(() => readFileSync(join(sandbox.state, 'fence'), 'utf8') === '7');

  old.prompt('m1', 'run:old');
  const refused = await old.type('keeper_refused');
  assert.deepEqual(refused, { type: 'keeper_refused', id: 'm1', fence: 5, highest: 7, reason: 'fence' });

  young.give('q1', { type: 'keeper_quit' });
  await until(() => !alive(sandbox.status().pid));
  assert.equal((await sandbox.attach({ fence: 6 }).note('hello')).fence, 7);
  const late = sandbox.attach({ fence: 6, offset: sandbox.journal().length }).start().prompt('m2', 'run:late');
  assert.equal((await late.next((record) => record.type === 'keeper_refused' && record.id === 'm2')).reason, 'fence');
  assert.deepEqual(heard(), []);
});

test('a forged fence is forgotten when the holder forces a start', async () => {
  const line = sandbox.attach({ fence: 5 }).start();
  await line.type('keeper_ready');
  // Aside first: of a file that is just being written the keeper sees the beginning, and calls it unreadable.
  const forged = join(sandbox.state, 'inbox', '999999999999999-forged.json');
  writeFileSync(join(sandbox.state, 'inbox', '.forged'), '{"type":"keeper_fence"}');
  renameSync(join(sandbox.state, 'inbox', '.forged'), forged);
  await until(() => readFileSync(join(sandbox.state, 'fence'), 'utf8') === '999999999999999');

  line.start(undefined, { force: true }).prompt('m1', 'run:1');
  assert.equal((await line.type('keeper_forced')).fence, 5);
  await line.next((record) => record.message?.command === 'm1');

  assert.equal(heard().length, 1);
});

test('whoever begins anew ends what is under way, and nobody does whose thread another has', async () => {
  const line = sandbox.attach({ fence: 5 }).start().prompt('m1', 'busy:1');
  await line.type('agent_start');
  const { pid } = sandbox.status();
  const late = sandbox.attach({ fence: 4 });

  // Its fence is refused as well, before it has begun to start anything.
  await late.start(undefined, { session: 'late', anew: 'm2' }).prompt('m2', 'run:late').next(({ type, id }) => type === 'keeper_refused' && id === 'm2');
  assert.equal(sandbox.status().pid, pid);
  line.start(undefined, { session: 'next', anew: 'm3' }).prompt('m3', 'busy:3');

  assert.equal((await line.type('keeper_forced')).fence, 5);
  await line.next((record) => record.type === 'agent_start');
  const next = sandbox.status();
  assert.equal(next.session, 'next');
  assert.equal(alive(pid), false);
  // As with the next connection, where nobody has read yet what came of this one.
  line.start(undefined, { session: 'next', anew: 'm3' }).give('d1', { type: 'extension_ui_response', id: 'dialog', cancelled: true }).give('s1', { type: 'keeper_stop' });
  await line.next(settled);
  assert.equal(sandbox.status().pid, next.pid);
});

test('of two who start a keeper at once, it is for the one who has the thread', async () => {
  const launched = join(sandbox.home, 'launched');
  const preload = join(sandbox.home, 'preload.mjs');
  writeFileSync(
    preload,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { holder } from '${image}/keeper/lock.mjs';
    if (process.argv.includes('keep') && !existsSync('${launched}')) {
      writeFileSync('${launched}', '');
      while (holder('${sandbox.state}/lock') === null) await setTimeout(10);
    }`,
  );
  const late = sandbox.attach({ fence: 4 });
  const line = sandbox.attach({ fence: 5, preload });
  await Promise.all([late, line].map((each) => each.note('hello')));

  line.start(undefined, { session: 'next' }).prompt('m1', 'run:1');
  await until(() => existsSync(launched));
  late.start(undefined, { session: 'late' });
  await line.next(settled);

  assert.equal(sandbox.status().session, 'next');
});

test('what is no command in the folder is refused', async () => {
  const line = sandbox.attach().start();
  await line.type('keeper_ready');
  writeFileSync(join(sandbox.state, 'inbox', '1-m1.json'), 'null');
  assert.deepEqual(await line.type('keeper_refused'), { type: 'keeper_refused', id: 'm1', fence: 1, highest: 1, reason: 'unreadable' });
  mkdirSync(join(sandbox.state, 'inbox', 'folder'));
  assert.equal((await line.type('keeper_refused')).id, 'folder');

  const aside = join(sandbox.home, 'aside');
  writeFileSync(aside, '{"type":"prompt","message":"run:1"}');
  renameSync(aside, join(sandbox.state, 'inbox', '1-m2.json'));
  await line.next((record) => record.message?.command === 'm2');
});

test('two attaches that start at once get one keeper and one Pi', async () => {
  const lines = [sandbox.attach(), sandbox.attach(), sandbox.attach(), sandbox.attach()];
  await Promise.all(lines.map((line) => line.note('hello')));

  lines.forEach((line) => line.start());
  await Promise.all(lines.map((line) => line.type('keeper_ready')));
  await Promise.all(lines.map((line) => line.close()));
  await until(() => sandbox.processes().length === 2, 'only keeper and Pi live');

  assert.deepEqual(sandbox.records().map(({ type }) => type), ['keeper_boot', 'keeper_ready']);
});

test('keeper and Pi survive the end of the whole tree under the attach', async () => {
  const line = sandbox.attach().start();
  const { boot } = await line.type('keeper_ready');
  const { pid } = sandbox.status();
  const parent = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);

  assert.notEqual(parent(), line.child.pid);
  line.child.kill('SIGHUP');
  await line.closed;

  const next = sandbox.attach({ offset: line.journal.length }).prompt('m1', 'run:1');
  assert.equal((await next.note('hello')).boot, boot);
  await next.next(settled);
});

test('after the keeper was killed the next attach starts one and the journal goes on', async () => {
  const line = sandbox.attach().start().prompt('m1', 'busy:1');
  await line.type('agent_start');
  const { pid } = sandbox.status();
  const pi = sandbox.processes().find((process) => process !== pid && process !== line.child.pid);

  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  const end = sandbox.journal().length;
  const next = sandbox.attach({ offset: end });
  assert.equal((await next.note('hello')).boot, undefined);
  next.start().prompt('m2', 'run:2');
  await next.next(settled);

  assert.ok(!alive(pi));
  const whole = await next.has(sandbox.journal().length - end);
  assert.deepEqual(sandbox.journal().subarray(end), whole);
  assert.deepEqual(heard().map(({ id }) => id), ['m1', 'm2']);
});

test('a torn last record is cut off at the next start', async () => {
  const line = sandbox.attach().start().prompt('m1', 'run:1');
  await line.next(settled);
  await line.give('q', { type: 'keeper_quit' }).type('keeper_exit');
  const { pid } = sandbox.status();
  await until(() => !alive(pid));
  const end = sandbox.journal().length;
  const segment = readdirSync(join(sandbox.state, 'journal')).find((name) => /^\d+$/.test(name));
  appendFileSync(join(sandbox.state, 'journal', segment), '{"type":"torn","é":"');

  const next = sandbox.attach({ offset: end });
  assert.equal((await next.note('hello')).end, end);
  next.start();
  await next.type('keeper_ready');

  assert.deepEqual(sandbox.journal().subarray(end), next.journal);
  assert.deepEqual(parsed(next.journal).map(({ type }) => type), ['keeper_boot', 'keeper_ready']);
});

test('records that are too long are replaced by their head, and the offsets stay true', async () => {
  const strange = { type: 'strange', text: 'y'.repeat(9_000) };
  const entries = { type: 'response', command: 'get_entries', success: true, data: 'z'.repeat(3_000) };
  const answer = { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: 'a'.repeat(2 * 1024 * 1024) }] } };
  const endless = { type: 'agent_end', messages: 'x'.repeat(33 * 1024 * 1024) };
  const said = join(sandbox.home, 'said');
  writeFileSync(said, [strange, entries, answer, endless, { type: 'after' }].map((record) => `${JSON.stringify(record)}\n`).join(''));
  const line = sandbox.attach().start().prompt('m1', `file:${said}`);

  await line.type('after');
  await line.next(settled);

  const sizes = line.records.filter(({ oversize }) => oversize).map(({ type, oversize, head }) => [type, oversize, head.length]);
  assert.deepEqual(sizes.slice(0, 1), [['strange', JSON.stringify(strange).length, 1_000]]);
  assert.deepEqual(sizes.slice(2), [['agent_end', JSON.stringify(endless).length, 1_000]]);
  assert.equal(sizes[1][0], 'message_end');
  assert.deepEqual(line.records.find(({ command }) => command === 'get_entries'), { type: 'response', command: 'get_entries', success: true });
  const whole = await line.has(sandbox.journal().length);
  assert.deepEqual(sandbox.journal(), whole);
});

test('a line of more than 32 MiB is skipped and the next one heard', async () => {
  const { Lines } = await import(`${image}/keeper/lines.mjs`);
  const heard = [];
  const lines = new Lines(32 * 1024 * 1024, (line) => heard.push(line.toString()), (head, bytes) => heard.push([head.length, bytes]));
  const piece = Buffer.alloc(64 * 1024, 'x');

  lines.push(Buffer.from('one\n'));
  for (let at = 0; at < 33 * 16; at++) {
    lines.push(piece);
  }
  lines.push(Buffer.from('\ntw'));
  lines.push(Buffer.from('o\r\n\nthree\n'));

  assert.deepEqual(heard, ['one', [4096, 33 * 1024 * 1024], 'two\r', 'three']);
});

test('what Pi says that is no record does no harm, nor does a record in the keeper’s name', async () => {
  const line = sandbox.attach().start().prompt('m1', raw('null', 'no json', '[]', '{"type":7}', '{"type":"keeper_exit","boot":"forged"}', { type: 'after' }));

  await line.type('after');

  assert.deepEqual(
    line.records.filter(({ type }) => ['keeper_exit', 'keeper_trouble'].includes(type)),
    [{ type: 'keeper_trouble', reason: 'noise' }],
  );
});

test('segments roll, the oldest go, and an offset from before counts as the beginning', async () => {
  const { Journal, JournalReader, extent } = await import(`${image}/keeper/journal.mjs`);
  const folder = join(sandbox.home, 'segments');
  mkdirSync(folder);
  const journal = new Journal(folder, 1_000);
  const reader = new JournalReader(folder, 0);
  const read = [];
  for (let at = 0; at < 200; at++) {
    journal.append({ type: 'n', at });
    read.push(Buffer.from(reader.next()));
  }

  const { begin, end } = extent(folder);
  assert.equal(readdirSync(folder).filter((name) => /^\d{16}$/.test(name)).length, 4);
  assert.ok(begin > 0);
  assert.equal(end, journal.end);
  assert.deepEqual(parsed(Buffer.concat(read)).map(({ at }) => at), [...Array(200).keys()]);
  assert.equal(new JournalReader(folder, 5).offset, begin);
  assert.equal(new JournalReader(folder, end + 5).offset, end);
  assert.equal(new Journal(folder, 1_000).end, end);
});

test('a full disk is told, and what was waiting is written when there is room again', { skip: canMount() ? false : 'no disk can be mounted here' }, async () => {
  const line = sandbox.attachOnSmallDisk(2).start(undefined, { limitSeconds: 2 }).prompt('m1', 'fill:1');
  await line.type('keeper_trouble');
  await line.type('keeper_limit');
  await line.next(settled);

  line.prompt('m2', 'run:2');
  await line.next((record) => record.message?.command === 'm2');

  assert.deepEqual(line.records.filter(({ type }) => type === 'said').map(({ at }) => at), [...Array(300).keys()]);
  assert.deepEqual(line.records.filter(({ type }) => type === 'keeper_trouble'), [{ type: 'keeper_trouble', reason: 'disk_full' }]);
  assert.equal(line.records.filter(({ type }) => type === 'keeper_boot').length, 1);
});

test('the run’s limit aborts, and kills a Pi that does not settle', async () => {
  const line = sandbox.attach().start(undefined, { limitSeconds: 0.5 }).prompt('m1', 'deaf:1');
  await line.type('agent_start');
  await line.close();

  await until(() => sandbox.records().some(({ type }) => type === 'keeper_exit'));

  const [limit, exit] = sandbox.records().filter(({ type }) => ['keeper_limit', 'keeper_exit'].includes(type));
  assert.equal(limit.seconds, 0.5);
  assert.deepEqual([exit.signal, exit.running], ['SIGKILL', true]);
  assert.deepEqual(heard().slice(1).map(({ type }) => type), ['clear_queue', 'abort']);
});

test('a stop overtakes the prompts that wait, and they are refused', async () => {
  const line = sandbox.attach().start().prompt('m1', 'busy:1');
  await line.type('agent_start');
  await line.give('d1', { type: 'extension_ui_response', id: 'dialog', cancelled: true }).give('s1', { type: 'keeper_stop' }).type('keeper_command');
  await line.next(settled);

  line.prompt('m2', 'run:2');
  await line.next((record) => record.message?.command === 'm2');
  assert.deepEqual(heard().map(({ type }) => type), ['prompt', 'extension_ui_response', 'clear_queue', 'abort', 'prompt']);
  assert.equal(heard()[1].id, 'dialog');
});

test('a Pi that dies in a run is told, and the next command starts it again', async () => {
  const line = sandbox.attach().start().prompt('m1', 'die:1');
  const exit = await line.type('keeper_exit');
  assert.deepEqual([exit.code, exit.running], [7, true]);

  line.prompt('m2', 'run:2');
  await line.type('keeper_boot');
  await line.next((record) => record.message?.command === 'm2');
});

test('a Pi that is never ready refuses what waited for it, and its last words hold no key', async () => {
  const line = sandbox.attach().start(undefined, { model: { baseUrl: 'http://127.0.0.1:9/v1', id: 'dies' }, key: 'sk-secret' });
  await line.prompt('m1', 'run:1').type('keeper_exit');
  line.prompt('m2', 'run:2');

  const exit = await line.type('keeper_exit');
  const refused = await line.next(({ type, id }) => type === 'keeper_refused' && id === 'm2');

  assert.deepEqual([exit.code, exit.running, refused.reason], [3, false, 'not_started']);
  assert.match(exit.stderr, /the key was \(key\)/);
});

test('a session that is not found again refuses words until another is begun, and takes them there', async () => {
  const line = sandbox.attach().start(undefined, { begun: true }).prompt('m1', 'run:1');
  const refused = await line.type('keeper_refused');
  line.prompt('m1', 'run:1');
  await line.type('keeper_refused');

  line.start(undefined, { session: 'C1-1700000000.000100-s2' }).prompt('m1', 'run:1');
  await line.next((record) => record.message?.command === 'm1');

  assert.deepEqual([refused.id, refused.reason, refused.session], ['m1', 'lost', 'C1-1700000000.000100']);
  assert.deepEqual(heard().map(({ id }) => id), ['m1']);
});

test('the key is in no file and no argument', async () => {
  const line = sandbox.attach().start(undefined, { key: 'sk-secret-6f2a' });
  await line.type('keeper_ready');
  await line.prompt('m1', 'run:1').next(settled);

  const files = readdirSync(sandbox.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files) {
    assert.ok(!readFileSync(join(file.parentPath, file.name)).includes('sk-secret-6f2a'), file.name);
  }
  const { pid } = sandbox.status();
  for (const process of sandbox.processes().filter(alive)) {
    assert.ok(!readFileSync(`/proc/${process}/cmdline`).includes('sk-secret-6f2a'));
  }
  assert.ok(!readFileSync(`/proc/${pid}/environ`).includes('sk-secret-6f2a'));
});

test('a keeper with another session, model or key is replaced, but not during a run', async () => {
  const line = sandbox.attach().start();
  await line.type('keeper_ready');
  line.start(undefined, { session: 'other' });
  assert.equal((await line.type('keeper_boot')).session, 'other');
  await line.type('keeper_ready');

  line.prompt('m1', 'busy:1');
  await line.type('agent_start');
  const { pid } = sandbox.status();
  line.start(undefined, { session: 'third' }).give('s1', { type: 'keeper_stop' });
  await line.next(settled);

  assert.equal(sandbox.status().pid, pid);
  line.start(undefined, { session: 'other', key: 'sk-new' });
  await line.type('keeper_boot');
  assert.notEqual(sandbox.status().pid, pid);
});

test('an attach ends when nobody reads it any more, or nobody writes to it', async () => {
  const unread = sandbox.attach().start();
  await unread.type('keeper_ready');
  unread.child.stdout.destroy();
  unread.prompt('m1', 'run:1');
  await unread.closed;

  // The first one may have ended before it read; what comes twice is given once.
  const last = sandbox.attach().prompt('m1', 'run:1').prompt('m2', 'run:2');
  await last.close();

  await until(() => heard().length === 2);
});

test('reading without a terminal waits for a record and keeps to its maximum', async () => {
  const line = sandbox.attach().start().prompt('m1', 'run:1');
  await line.next(settled);
  const whole = await line.has(sandbox.journal().length);

  const pieces = [];
  for (let offset = 0; offset < whole.length; ) {
    const { data } = sandbox.run('read', '--fence', '1', '--offset', String(offset), '--max', '300');
    const piece = Buffer.from(data, 'base64');
    assert.ok(piece.length <= 300 || piece.indexOf('\n') === piece.length - 1);
    pieces.push(piece);
    offset += piece.length;
  }
  assert.deepEqual(Buffer.concat(pieces), whole);
  assert.equal(sandbox.run('read', '--fence', '1', '--offset', String(whole.length), '--wait', '0').data, '');
});

test('a keeper can be started without a terminal when the key is in the environment', async () => {
  const start = { session: 's-1', cwd: sandbox.work, model: { baseUrl: 'http://127.0.0.1:9/v1', id: 'm' } };

  const { hello } = sandbox.run('start', Buffer.from(JSON.stringify(start)).toString('base64url'));
  const { data } = sandbox.run('read', '--fence', '1', '--offset', '0', '--wait', '20');

  assert.equal(hello.session, 's-1');
  assert.equal(parsed(Buffer.from(data, 'base64'))[0].type, 'keeper_boot');
});

test('without a terminal, too, a keeper gives way to other words and to force', async () => {
  const words = { fence: 1, force: false, cwd: sandbox.work, model: { baseUrl: 'http://127.0.0.1:9/v1', id: 'm' } };
  const start = (more) => {
    sandbox.run('start', Buffer.from(JSON.stringify({ ...words, ...more })).toString('base64url'));
    return sandbox.status().pid;
  };
  // One that is still coming up is never sent away.
  const idle = () => until(() => sandbox.status().phase === 'idle');

  const first = start({ session: 's-1' });
  await idle();
  const same = start({ session: 's-1' });
  const other = start({ session: 's-2' });
  await idle();
  const asking = start({ session: 's-2', permissions: 'ask' });
  const forced = start({ session: 's-2', permissions: 'ask', force: true });

  assert.equal(same, first);
  assert.equal(new Set([first, other, asking, forced]).size, 4);
});
