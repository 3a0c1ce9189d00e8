// Jobs: what the keeper runs beside Pi, and what is told of it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { Model, calls, says } from './world/model.mjs';
import { Sandbox, alive, imageWith, until } from './world/sandbox.mjs';

const image = imageWith(join(import.meta.dirname, 'world', 'fake-pi.mjs'));
let sandbox;
let post;

after(() => rmSync(image, { recursive: true }));
beforeEach(async () => {
  sandbox = new Sandbox(image);
  post = new Post();
  await post.open();
});
afterEach(async () => {
  await sandbox.remove();
  post.close();
});

/** Whoever is told of a job's end; answers with what it was given, the last of it for ever. */
class Post {
  heard = [];
  answers = [204];
  #server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    const status = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    this.heard.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(body) });
    response.writeHead(status).end();
  });

  async open() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/sandbox-jobs/job-test/complete`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const looked = (id = 'job-test') => sandbox.run('jobs', id).jobs[0];
const isOver = (id) => until(() => looked(id).state !== 'running', `${id ?? 'the job'} is over`);
const jobFolder = (id = 'job-test') => join(sandbox.state, 'jobs', id);

/** Nothing of a process that has ended since it was listed. */
function told(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return '';
  }
}

async function begun(command, { id = 'job-test', ...more } = {}) {
  const line = sandbox.attach().start();
  line.give(id, { type: 'keeper_job', job: id, command, limitSeconds: 600, ...more });
  await line.next((record) => record.type === 'keeper_job' && record.job === id);
  return line;
}

test('a job runs in the work directory, without our secrets, and its end is posted with its token', async () => {
  await begun('pwd; echo "key:$GORKIE_MODEL_KEY boot:$GORKIE_BOOT" >&2; exit 7', { url: post.url, token: 'secret-of-this-job' });

  await until(() => post.heard.length === 1);

  const [{ authorization, body }] = post.heard;
  assert.equal(authorization, 'Bearer secret-of-this-job');
  assert.deepEqual([body.job, body.state, body.code], ['job-test', 'exited', 7]);
  assert.equal(body.tail, `${sandbox.work}\nkey: boot:\n`);
  await until(() => !existsSync(join(jobFolder(), 'token')));
});

test('the token is in a file that is its owner’s alone, and in nobody’s arguments', async () => {
  await begun('until [ -e go ]; do sleep 0.05; done', { url: post.url, token: 'secret-of-this-job' });

  assert.equal(statSync(join(jobFolder(), 'token')).mode & 0o777, 0o600);
  const lines = sandbox.processes().map((pid) => told(pid, 'cmdline'));
  const environments = sandbox.processes().map((pid) => told(pid, 'environ'));
  assert.ok(lines.length > 0);
  assert.deepEqual([...lines, ...environments].filter((text) => text.includes('secret-of-this-job')), []);
  writeFileSync(join(sandbox.work, 'go'), '');
  await until(() => post.heard.length === 1);
});

test('a post that was not taken is made again, and one that was refused is not', async () => {
  post.answers = [503, 204];
  await begun('true', { url: post.url, token: 't' });

  await until(() => post.heard.length === 2);
  await until(() => !existsSync(join(jobFolder(), 'token')));

  post.answers = [404];
  const line = sandbox.attach();
  line.give('job-other', { type: 'keeper_job', job: 'job-other', command: 'true', limitSeconds: 600, url: post.url, token: 't' });
  await until(() => post.heard.length === 3);
  await until(() => existsSync(jobFolder('job-other')) && !existsSync(join(jobFolder('job-other'), 'token')));
});

test('a job outlives the end of the run, the keeper and whoever listened', async () => {
  const line = await begun('until [ -e go ]; do sleep 0.05; done; echo done');
  line.prompt('m1', 'run:1');
  await line.type('agent_settled');
  await line.close();
  const { pid } = sandbox.status();
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  const next = sandbox.attach({ fence: 2, offset: line.journal.length }).start();
  await next.type('keeper_ready');

  assert.equal(looked().state, 'running');
  writeFileSync(join(sandbox.work, 'go'), '');

  await isOver();
  assert.deepEqual([looked().state, looked().code, looked().tail], ['exited', 0, 'done\n']);
});

test('a job is begun once however often it is asked for', async () => {
  const line = await begun('echo x >> times');
  line.give('job-test', { type: 'keeper_job', job: 'job-test', command: 'echo x >> times', limitSeconds: 600 });
  line.prompt('m1', 'run:1');
  await line.type('agent_settled');

  await isOver();
  assert.equal(readFileSync(join(sandbox.work, 'times'), 'utf8'), 'x\n');
});

test('a stop ends every process of a job and tells the exit code it came to', async () => {
  await begun('trap "echo tidied; exit 3" TERM; (setsid sleep 1000 & sleep 1000) & echo $! > group; while :; do sleep 0.05; done');
  await until(() => existsSync(join(sandbox.work, 'group')));
  const others = () => sandbox.processes().filter((pid) => told(pid, 'environ').includes('GORKIE_JOB='));
  await until(() => others().length > 2);

  const stopped = sandbox.run('job-stop', 'job-test');

  assert.deepEqual([stopped.state, stopped.code], ['stopped', 3]);
  assert.match(stopped.tail, /tidied/);
  assert.deepEqual(others(), []);
});

test('what does not heed a stop is killed, and its code says by what', async () => {
  await begun('trap "" TERM; echo up; while :; do sleep 0.05; done');
  await until(() => looked().tail === 'up\n');

  const stopped = sandbox.run('job-stop', 'job-test');

  assert.deepEqual([stopped.state, stopped.code, stopped.signal], ['stopped', 137, 'SIGKILL']);
});

test('a job that takes longer than it may is ended', async () => {
  await begun('echo begun; sleep 1000', { limitSeconds: 3 });

  await isOver();

  assert.deepEqual([looked().state, looked().code, looked().tail], ['limit', 143, 'begun\n']);
});

test('a job whose supervisor was killed is lost, and what it left is ended', async () => {
  const left = () => sandbox.processes().filter((one) => told(one, 'environ').includes('GORKIE_JOB='));
  await begun('sleep 1000');
  await until(() => left().length > 0);
  const { pid } = JSON.parse(readFileSync(join(jobFolder(), 'state'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));

  assert.equal(looked().state, 'lost');
  assert.deepEqual(left(), []);
});

test('of a job that nobody has begun nobody knows', () => {
  assert.deepEqual(looked('job-nobody'), { job: 'job-nobody', state: 'unknown' });
  assert.deepEqual(looked('../../etc'), { job: '../../etc', state: 'unknown' });
});

test('of a long output the beginning and the end are kept', async () => {
  await begun('echo first; head -c 6000000 /dev/zero | tr "\\0" x; echo; echo last');

  await isOver();

  const { logOf } = await kept();
  const begin = logOf('job-test', 0, 6);
  const end = logOf('job-test', undefined, 5);
  assert.deepEqual([begin.from, begin.text], [0, 'first\n']);
  assert.deepEqual([end.end, end.text], [6_000_012, 'last\n']);
  const gap = logOf('job-test', 2_000_000, 10);
  assert.ok(gap.from > 2_000_000, `${gap.from}`);
});

/** The modules as they are within the sandbox. */
async function kept() {
  const home = process.env.HOME;
  process.env.HOME = sandbox.home;
  try {
    return await import(`${image}/keeper/jobs.mjs?${sandbox.home}`);
  } finally {
    process.env.HOME = home;
  }
}

test('Pi begins a job, sees how it stands and stops it, and the host is asked first', async () => {
  const model = await Model.start();
  const real = new Sandbox();
  try {
    model.will(
      calls(['bash', { command: 'echo working; sleep 1000', background: true, timeout: 900 }]),
      calls(['async_status', { id: 'job-mine', action: 'logs' }]),
      calls(['async_status', { id: 'job-mine', action: 'logs', offset: 2, bytes: 3 }]),
      calls(['async_status', { id: 'job-mine', action: 'stop' }]),
      says('Stopped.'),
    );
    const line = real.attach().start(model).prompt('m1', 'Work in the background.');
    const asked = await line.next((record) => record.title === 'gorkie:tool');
    assert.deepEqual(JSON.parse(asked.placeholder), { name: 'startJob', args: { command: 'echo working; sleep 1000', seconds: 900 } });

    line.give('job-mine', { type: 'keeper_job', job: 'job-mine', command: 'echo working; sleep 1000', limitSeconds: 900 });
    await until(() => real.run('jobs', 'job-mine').jobs[0].tail === 'working\n');
    line.give('a1', { type: 'extension_ui_response', id: asked.id, value: '{"text":"job-mine"}' });
    const begun = await line.type('tool_execution_end');
    const logs = await line.type('tool_execution_end');
    const piece = await line.type('tool_execution_end');
    const told = await line.next((record) => record.title === 'gorkie:tool');
    line.give('a2', { type: 'extension_ui_response', id: told.id, value: '{"text":"Noted."}' });
    const stopped = await line.type('tool_execution_end');
    await line.type('agent_settled');

    assert.match(begun.result.content[0].text, /^Job job-mine has begun/);
    assert.match(logs.result.content[0].text, /running for \d+ s[^]*working/);
    assert.match(piece.result.content[0].text, /bytes 2 to 5 of 8:\nrki$/);
    assert.deepEqual(JSON.parse(told.placeholder), { name: 'jobTold', args: { id: 'job-mine' } });
    assert.match(stopped.result.content[0].text, /stopped after \d+ s, with exit code 143/);
    assert.ok(!model.requests[0].tools.some((tool) => tool.function.name === 'async_status'));
    assert.ok(model.requests[1].tools.some((tool) => tool.function.name === 'async_status'));
  } finally {
    await real.remove();
    model.stop();
  }
});
