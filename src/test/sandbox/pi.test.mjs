// The keeper with the real Pi, and a model that follows a script.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Model, calls, hangsAfter, says } from './world/model.mjs';
import { Sandbox, alive, until } from './world/sandbox.mjs';

let model;
let sandbox;

beforeEach(async () => {
  model = await Model.start();
  sandbox = new Sandbox();
});

afterEach(async () => {
  await sandbox.remove();
  model.stop();
});

test('a turn with bash and write is told in the journal', async () => {
  model.will(calls(['bash', { command: 'echo "$HOME:$GORKIE_MODEL_KEY"', status: 'Looking around' }]), calls(['write', { path: 'output/a.txt', content: 'hello' }]), says('Done.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Make a file.');

  const ready = await line.type('keeper_ready');
  const asked = await line.next((record) => record.message?.role === 'user' && record.type === 'message_end');
  const started = await line.type('tool_execution_start');
  const ended = await line.type('tool_execution_end');
  const answer = await line.next((record) => record.type === 'message_end' && record.message.stopReason === 'stop');
  await line.type('agent_settled');

  assert.deepEqual([ready.provider, ready.model, ready.messages], ['gorkie', 'vendor/scripted:free', 0]);
  assert.equal(asked.message.command, 'm1');
  assert.equal(started.args.status, 'Looking around');
  assert.deepEqual(ended.result.content, [{ type: 'text', text: `${sandbox.home}:\n` }]);
  assert.deepEqual(answer.message.content, [{ type: 'text', text: 'Done.' }]);
  assert.equal(readFileSync(join(sandbox.work, 'output/a.txt'), 'utf8'), 'hello');
  assert.equal(model.requests.at(-1).authorization, 'Bearer sk-test-key');
});

test('a long answer is thinned and loses nothing', async () => {
  const text = 'The quick brown fox 🦊 jumps over the lazy dog.\n'.repeat(420);
  model.will(says(text));
  const line = sandbox.attach().start(model).prompt('m1', 'Write a lot.');

  const answer = await line.next((record) => record.type === 'message_end' && record.message.role === 'assistant');
  await line.type('agent_settled');

  const deltas = line.records.map((record) => record.assistantMessageEvent?.delta ?? '');
  assert.equal(deltas.join(''), text);
  assert.equal(answer.message.content[0].text, text);
  assert.ok(line.journal.length < 4 * Buffer.byteLength(text), `${line.journal.length} bytes`);
});

test('a second message steers the run, and both are known by their commands', async () => {
  model.will(calls(['bash', { command: 'until [ -e go ]; do sleep 0.05; done' }]), says('Both done.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Do one thing.');
  await line.type('tool_execution_start');

  line.prompt('m2', 'And another.', { streamingBehavior: 'steer' });
  await line.next((record) => record.type === 'response' && record.id === 'm2');
  writeFileSync(join(sandbox.work, 'go'), '');
  await line.type('agent_settled');

  const asked = line.records.filter(({ type, message }) => type === 'message_end' && message.role === 'user').map(({ message }) => message.command);
  assert.deepEqual(asked, ['m1', 'm2']);
});

test('two prompts at once make two runs or one, and neither is lost', async () => {
  model.will(says('One.'), says('Two.'));
  const line = sandbox.attach().start(model).prompt('m1', 'First.').prompt('m2', 'Second.', { streamingBehavior: 'steer' });

  await line.next((record) => record.message?.command === 'm1');
  await line.next((record) => record.message?.command === 'm2');
  await line.type('agent_settled');
});

test('when Pi was killed the next command starts it on the same session with its history', async () => {
  model.will(says('Noted.'), hangsAfter('I was'), says('You said 42.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Remember 42.');
  await line.type('agent_settled');
  line.prompt('m2', 'Wait.');
  await line.next((record) => record.assistantMessageEvent?.type === 'text_delta');

  process.kill(piOf(), 'SIGKILL');
  const exit = await line.type('keeper_exit');
  line.prompt('m3', 'What was it?');
  const ready = await line.type('keeper_ready');
  await line.type('agent_settled');

  assert.deepEqual([exit.signal, exit.running], ['SIGKILL', true]);
  assert.ok(ready.messages >= 2);
  assert.match(JSON.stringify(model.requests.at(-1).messages), /Remember 42/);
});

test('a session whose file is gone is known to be lost when Pi is started again', async () => {
  model.will(says('Noted.'), says('Still here.'), says('Never.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Remember 42.');
  await line.type('agent_settled');
  rmSync(join(sandbox.state, 'sessions'), { recursive: true });
  mkdirSync(join(sandbox.state, 'sessions'));

  line.prompt('m2', 'Go on.');
  await line.next((record) => record.message?.command === 'm2');
  await line.type('agent_settled');
  process.kill(piOf(), 'SIGKILL');
  await line.type('keeper_exit');
  line.prompt('m3', 'What was it?');
  const refused = await line.type('keeper_refused');

  assert.deepEqual([refused.id, refused.reason], ['m3', 'lost']);
  assert.equal(model.requests.length, 2);
});

test('at its limit a run is aborted although nobody is attached', async () => {
  model.will(calls(['bash', { command: 'sleep 60' }]), says('Never.'));
  const line = sandbox.attach().start(model, { limitSeconds: 5 }).prompt('m1', 'Sleep.');
  await line.type('tool_execution_start');
  await line.close();

  await until(() => sandbox.records().some(({ type }) => type === 'agent_settled'));

  const end = sandbox.records().find(({ type }) => type === 'tool_execution_end');
  assert.equal(sandbox.records().find(({ type }) => type === 'keeper_limit').seconds, 5);
  assert.ok(end.isError);
});

test('a stop ends the command and the run', async () => {
  model.will(calls(['bash', { command: 'echo $$ > pid; sleep 60' }]), says('Never.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Sleep.');
  await until(() => existsSync(join(sandbox.work, 'pid')));

  line.give('s1', { type: 'keeper_stop' });
  await line.type('agent_settled');

  const pid = Number(readFileSync(join(sandbox.work, 'pid'), 'utf8'));
  await until(() => !alive(pid));
});

test('what Pi leaves running ends with the run, and Pi lives on', async () => {
  const server = 'setsid sh -c "trap : TERM; echo \\$\\$ > pid; while :; do sleep 1; done" </dev/null >/dev/null 2>&1 &';
  model.will(calls(['bash', { command: `${server} until [ -s pid ]; do sleep 0.05; done` }]), says('Started.'), says('Still here.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Start a server.');

  const { ended } = await line.type('keeper_leftovers');
  line.prompt('m2', 'Are you there?');
  await line.next((record) => record.message?.command === 'm2');
  await line.type('agent_settled');

  assert.ok(ended >= 1);
  assert.ok(!alive(readFileSync(join(sandbox.work, 'pid'), 'utf8').trim()));
  assert.equal(line.records.filter(({ type }) => type === 'keeper_boot').length, 1);
});

test('showFile tells path and title, and refuses what is no file of ours', async () => {
  writeFileSync(join(sandbox.work, 'report.txt'), 'text');
  symlinkSync('/etc/passwd', join(sandbox.work, 'link'));
  const show = (path) => ['showFile', { path, title: 'The report' }];
  model.will(calls(show('report.txt'), show('missing.txt'), show('.'), show('link')), says('Shown.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Show it.');
  await line.type('agent_settled');

  const shown = line.records.filter(({ type }) => type === 'tool_execution_end').map(({ isError, result }) => [isError, result.details]);
  assert.deepEqual(shown, [[false, { path: 'report.txt', title: 'The report' }], [true, {}], [true, {}], [true, {}]]);
});

test('the model is told of status, time limit, showFile and what the host does, and of no key', async () => {
  model.will(says('Hello.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Hello.');
  await line.type('agent_settled');

  const { tools, messages } = model.requests.at(-1);
  assert.deepEqual(tools.map((tool) => tool.function.name).sort(), [
    'bash', 'cancelTask', 'edit', 'getFile', 'leaveThread', 'listTasks', 'react', 'read', 'readChannel', 'readThread', 'schedule', 'setTitle', 'showFile', 'showPort',
    'whoIs', 'write',
  ]);
  tools.forEach((tool) => assert.match(tool.function.parameters.properties.status.description, /49 characters/));
  assert.match(tools.find((tool) => tool.function.name === 'bash').function.parameters.properties.timeout.description, /600/);
  assert.match(JSON.stringify(messages[0]), /You are Gorkie/);
  assert.doesNotMatch(JSON.stringify(model.requests.at(-1)).replace('Bearer sk-test-key', ''), /sk-test-key/);
});

test('a long output is told by its end, and by head and tail when it is over', async () => {
  model.will(calls(['bash', { command: 'seq 1 20000; sleep 1.2; echo end' }]), says('Counted.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Count.');

  const update = await line.type('tool_execution_update');
  const end = await line.type('tool_execution_end');

  assert.ok(update.partialResult.content[0].text.length <= 500);
  assert.equal(update.args, undefined);
  assert.ok(end.result.content[0].text.length <= 2_000);
  assert.match(end.result.content[0].text, /…\n/);
  assert.match(end.result.content[0].text, /end\n/);
});

test('the session’s file lies where the keeper says, and Pi starts without a word of the project’s own', async () => {
  mkdirSync(join(sandbox.work, '.pi', 'extensions'), { recursive: true });
  writeFileSync(join(sandbox.work, '.pi', 'extensions', 'bad.ts'), 'throw new Error("loaded")');
  writeFileSync(join(sandbox.work, 'AGENTS.md'), 'SAY-BANANA');
  model.will(says('Hello.'));
  const line = sandbox.attach().start(model).prompt('m1', 'Hello.');
  await line.type('agent_settled');

  assert.doesNotMatch(JSON.stringify(model.requests.at(-1)), /SAY-BANANA/);
  const files = readdirSync(join(sandbox.state, 'sessions'));
  assert.equal(files.length, 1);
  assert.match(files[0], /_C1-1700000000\.000100\.jsonl$/);
});

function piOf() {
  const { pid } = sandbox.status();
  const parentOf = (process) => {
    try {
      return Number(readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
    } catch {
      return 0;
    }
  };
  return sandbox.processes().find((process) => parentOf(process) === pid);
}
