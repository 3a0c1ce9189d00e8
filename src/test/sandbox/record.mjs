// Records what Pi itself says over its pipes, without a keeper, for those who read its records:
//
//   $GORKIE/bin/node src/test/sandbox/record.mjs
//
// writes src/test/resources/transcripts/pi-<version>-*.jsonl. A line is {"t":seconds since the start,"dir":"in"|"out","msg":…},
// or "raw" instead of "msg" for bytes that are no JSON.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Model, breaksAfter, calls, fails, hangsAfter, says } from './world/model.mjs';
import { image } from './world/sandbox.mjs';

const FOLDER = join(import.meta.dirname, '..', 'resources', 'transcripts');
const SESSION = 'C0AAAAAAA-1700000000.000100';
const packageFolder = join(image, 'node_modules', '@earendil-works', 'pi-coding-agent');
const { version, bin } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

class Recording {
  lines = [];
  #heard = [];
  #waiting = [];
  #cursor = 0;

  constructor(world, { withModel = true } = {}) {
    this.world = world;
    const began = performance.now();
    this.now = () => Math.round(performance.now() - began) / 1000;
    this.child = spawn(process.execPath, [join(packageFolder, bin.pi), ...flags(world)], {
      cwd: world.work,
      env: { HOME: world.home, PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'dumb', PI_OFFLINE: '1', PI_CODING_AGENT_DIR: world.agent, ...(withModel && { GORKIE_MODEL_KEY: 'sk-test' }) },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ended = once(this.child, 'close');
    let rest = Buffer.alloc(0);
    this.child.stdout.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let at; (at = rest.indexOf(0x0a)) !== -1; rest = rest.subarray(at + 1)) {
        const msg = JSON.parse(rest.subarray(0, at).toString('utf8'));
        this.lines.push({ t: this.now(), dir: 'out', msg });
        this.#heard.push(msg);
        this.#waiting.splice(0).forEach((look) => look());
      }
    });
  }

  say(msg) {
    this.lines.push({ t: this.now(), dir: 'in', msg });
    this.child.stdin.write(`${JSON.stringify(msg)}\n`);
  }

  sayRaw(raw) {
    this.lines.push({ t: this.now(), dir: 'in', raw });
    this.child.stdin.write(raw);
  }

  /** The next record after the last one returned for which this holds. */
  async next(matches) {
    for (;;) {
      const at = this.#heard.findIndex((msg, index) => index >= this.#cursor && matches(msg));
      if (at !== -1) {
        this.#cursor = at + 1;
        return this.#heard[at];
      }
      await new Promise((resolve) => this.#waiting.push(resolve));
    }
  }

  async ask(msg) {
    this.say(msg);
    return this.next(({ type, id, command }) => type === 'response' && (id === msg.id || command === 'parse'));
  }

  type(type) {
    return this.next((msg) => msg.type === type);
  }

  async turn(id, message) {
    await this.ask({ id, type: 'prompt', message });
    await this.type('agent_settled');
  }

  async close(signal) {
    signal ? this.child.kill(signal) : this.child.stdin.end();
    await this.ended;
  }

  save(name) {
    writeFileSync(join(FOLDER, `pi-${version}-${name}.jsonl`), this.lines.map((line) => `${this.world.clean(JSON.stringify(line, elided))}\n`).join(''));
  }
}

const scenarios = {
  async 'two-tools'(world) {
    world.model.will(calls(['bash', { command: 'echo one; echo two', status: 'Counting' }]), calls(['write', { path: 'output/note.txt', content: 'A note.\n', status: 'Writing the note' }]), says('Both **done**: 1, 2.'));
    const pi = await world.pi();
    await pi.turn('m1', 'Use two tools.');
    await pi.ask({ id: 'c2', type: 'get_state' });
    await pi.ask({ id: 'c3', type: 'get_last_assistant_text' });
    await pi.ask({ id: 'c4', type: 'get_session_stats' });
    return { 'two-tools': pi };
  },

  async 'parallel-tools'(world) {
    world.model.will(calls(['bash', { command: 'sleep 1; echo slow' }], ['bash', { command: 'echo fast' }]), says('Slow and fast.'));
    const pi = await world.pi();
    await pi.turn('m1', 'Use two tools at once.');
    return { 'parallel-tools': pi };
  },

  async showfile(world) {
    world.model.will(
      calls(['write', { path: 'output/report.md', content: '# Report\n' }]),
      calls(['showFile', { path: 'output/report.md', title: 'The report', status: 'Showing the report' }]),
      says('Here it is.'),
      calls(['showFile', { path: 'output/missing.md', title: 'Missing' }]),
      says('There is none.'),
    );
    const pi = await world.pi();
    await pi.turn('m1', 'Write and show a report.');
    await pi.turn('m2', 'Show one that is missing.');
    return { showfile: pi };
  },

  async 'errors-retry'(world) {
    world.model.will(fails(401, 'Invalid key'), fails(429, 'Rate limit reached'), says('At last.'), breaksAfter('Half a'), breaksAfter('Half a'), breaksAfter('Half a'));
    const pi = await world.pi();
    await pi.turn('m1', 'Fail for good.');
    await pi.turn('m2', 'Fail once.');
    await pi.turn('m3', 'Break until the retries end.');
    return { 'errors-retry': pi };
  },

  async abort(world) {
    world.model.will(hangsAfter('I was going to'), calls(['bash', { command: 'echo begun; sleep 30' }]));
    const pi = await world.pi();
    await pi.ask({ id: 'm1', type: 'prompt', message: 'Talk.' });
    await pi.next((msg) => msg.assistantMessageEvent?.type === 'text_delta');
    await pi.ask({ id: 'a1', type: 'abort' });
    await pi.ask({ id: 'm2', type: 'prompt', message: 'Run a command.' });
    await pi.next((msg) => msg.type === 'tool_execution_update' && msg.partialResult.content.length > 0);
    await pi.ask({ id: 'm3', type: 'prompt', message: 'Then this.', streamingBehavior: 'followUp' });
    await pi.ask({ id: 'a2', type: 'clear_queue' });
    await pi.ask({ id: 'a3', type: 'abort' });
    await pi.ask({ id: 'c2', type: 'get_state' });
    return { abort: pi };
  },

  async queue(world) {
    world.model.will(calls(['bash', { command: 'sleep 1; echo ok' }]), says('Ok, and steered.'), says('Followed up.'));
    const pi = await world.pi();
    await pi.ask({ id: 'm1', type: 'prompt', message: 'Run a command.' });
    await pi.type('tool_execution_start');
    await pi.ask({ id: 'm2', type: 'prompt', message: 'Refused.' });
    await pi.ask({ id: 'm3', type: 'prompt', message: 'Steer.', streamingBehavior: 'steer' });
    await pi.ask({ id: 'm4', type: 'prompt', message: 'Follow up.', streamingBehavior: 'followUp' });
    await pi.type('agent_settled');
    return { queue: pi };
  },

  async resume(world) {
    world.model.will(says('Hello.'), calls(['bash', { command: 'echo begun; sleep 30' }]), says('It was cut off.'));
    const killed = await world.pi();
    await killed.turn('m1', 'Hello first.');
    const { data } = await killed.ask({ id: 'c2', type: 'get_entries' });
    await killed.ask({ id: 'm2', type: 'prompt', message: 'Run a command.' });
    await killed.next((msg) => msg.type === 'tool_execution_update' && msg.partialResult.content.length > 0);
    await killed.close('SIGKILL');
    const after = await world.pi();
    await after.ask({ id: 'c2', type: 'get_entries', since: data.leafId });
    await after.turn('m3', 'What happened?');
    return { 'resume-1-killed': killed, 'resume-2-after-kill': after };
  },

  async 'rpc-errors'(world) {
    const pi = await world.pi();
    for (const raw of ['not json\n', '\n', '{"id":"u1","type":"nope"}\n', '{"id":"p0","type":"prompt"}\n', '{"id":"x1"}\n']) {
      pi.sayRaw(raw);
      await pi.type('response');
    }
    await pi.ask({ id: 'e1', type: 'get_entries', since: 'ffffffff' });
    await pi.ask({ id: 'm1', type: 'set_model', provider: 'gorkie', modelId: 'unknown' });
    await pi.ask({ id: 's1', type: 'steer', message: 'While idle.' });
    return { 'rpc-errors': pi };
  },

  async 'no-model'(world) {
    const pi = await world.pi({ withModel: false });
    await pi.ask({ id: 'm1', type: 'prompt', message: 'Hello.' });
    return { 'no-model': pi };
  },
};

class World {
  constructor(model) {
    this.model = model;
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-record-')));
    this.work = join(this.home, 'work');
    this.agent = join(this.home, 'agent');
    [this.work, this.agent].forEach((folder) => mkdirSync(folder));
    const settings = JSON.parse(readFileSync(join(image, 'settings.json'), 'utf8'));
    settings.retry = { enabled: true, maxRetries: 2, baseDelayMs: 300 };
    writeFileSync(join(this.agent, 'settings.json'), JSON.stringify(settings));
    const provider = { baseUrl: model.baseUrl, api: 'openai-completions', apiKey: '$GORKIE_MODEL_KEY', models: [{ id: 'scripted' }] };
    writeFileSync(join(this.agent, 'models.json'), JSON.stringify({ providers: { gorkie: provider } }));
  }

  async pi(options) {
    const pi = new Recording(this, options);
    await pi.ask({ id: 'c1', type: 'get_state' });
    return pi;
  }

  /** As in a sandbox: nothing of this machine. */
  clean(text) {
    return text
      .replaceAll(this.home, '/home/daytona')
      .replaceAll(realpathSync(join(image, 'node_modules')), '/opt/gorkie/node_modules')
      .replaceAll(image, '/opt/gorkie')
      .replaceAll(this.model.baseUrl, 'http://127.0.0.1:18080/v1');
  }
}

function flags({ home }) {
  return [
    ...['--mode', 'rpc', '--session-id', SESSION, '--session-dir', join(home, 'sessions')],
    ...['-ne', '-e', join(image, 'extension.ts'), '--system-prompt', join(image, 'SYSTEM.md')],
    ...['--provider', 'gorkie', '--model', 'scripted', '--no-approve', '-nc'],
  ];
}

/** The texts of system messages and tool declarations say nothing about the protocol. */
function elided(key, value) {
  if (value?.role === 'system') {
    const sections = value.sections && Object.fromEntries(Object.keys(value.sections).map((name) => [name, '(elided)']));
    const toolsAdded = value.toolsAdded?.map(({ name }) => ({ name, description: '(elided)', parameters: {} }));
    return { ...value, content: value.content && '(elided)', ...(sections && { sections }), ...(toolsAdded && { toolsAdded }) };
  }
  return value;
}

mkdirSync(FOLDER, { recursive: true });
for (const [name, play] of Object.entries(scenarios)) {
  const model = await Model.start();
  const world = new World(model);
  for (const [file, recording] of Object.entries(await play(world))) {
    await recording.close();
    recording.save(file);
  }
  model.stop();
  rmSync(world.home, { recursive: true });
  console.log(name);
}
