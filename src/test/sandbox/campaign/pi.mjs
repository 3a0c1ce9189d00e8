// A Pi whose every run follows from a seed. It stands in the real one's place in the image, speaks its protocol and
// keeps its session file; what it is given it notes in $HOME/heard, a line each, for whoever judges afterwards.
//
// What a prompt wants of it stands in its text: `<name> seed=<n> shape=<shape> ms=<how long>`, where a shape is
//   plain   text, and nothing else
//   words   so much text that it is shown while it comes
//   tools   three steps, then text
//   file    a file that is shown, then text
//   long    a step every two seconds, then text
//   stopped a step every quarter of a second, and nobody waits for the text
//   jobs    a job for each of `fates=<fate>,…`, which takes so long, then text
// The answer names every message the run has heard, in the order in which they came; and every job of whose end it has heard.

import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WISH = /(\S+) seed=(\d+) shape=(\w+) ms=(\d+)/g;
const FATES = /fates=([\w,]+)/;
const ENDED = /The job (job-[a-z0-9]+) that you began/g;
const STEPS = 3;
const LONG_STEP_MS = 2_000;
const SHORT_STEP_MS = 250;
const DELTAS = 5;
const MORE_WORDS = Array.from({ length: 15 }, (_, at) => `\n\nParagraph ${at + 1}: ${'one word after the other, '.repeat(5)}and so on.`).join('');
const USAGE = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.001 } };

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const model = option('--model');
const session = option('--session-id');
const folder = option('--session-dir');

const say = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (words) => [{ type: 'text', text: words }];

let file = sessionFile();
const entries = file ? readFileSync(file, 'utf8').split('\n').filter((line) => line.includes('"type":"message"')) : [];
// idle → starting → running → idle …
let phase = 'idle';
let steering = [];
let aborted = false;
const asked = new Map();

note({ started: process.pid, session });

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  // Node's own line reader would split at U+2028, too.
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  lines.filter(Boolean).forEach((line) => hear(JSON.parse(line)));
});
process.stdin.on('end', () => process.exit(0));

function hear(command) {
  const { id, type } = command;
  const answer = (more) => say({ id, type: 'response', command: type, success: true, ...more });
  switch (type) {
    case 'get_state':
      answer({ data: { model: { provider: 'gorkie', id: model }, isStreaming: phase === 'running', messageCount: entries.length, sessionId: session } });
      break;
    case 'prompt':
      note({ id, message: command.message });
      answer();
      if (phase === 'idle') {
        phase = 'starting';
        run(command.message);
      } else if (phase === 'running') {
        steering.push(command.message);
      } else {
        // As the real one does: what comes before the run has begun is taken and forgotten.
        note({ id, forgotten: true });
      }
      break;
    case 'extension_ui_response':
      asked.get(id)?.(command.value);
      break;
    case 'clear_queue':
      answer({ data: { steering, followUp: [] } });
      steering = [];
      break;
    case 'abort':
      abort().then(() => answer());
      break;
    default:
      answer();
  }
}

async function abort() {
  aborted = phase === 'running';
  while (aborted) {
    await pause(5);
  }
}

async function run(first) {
  const random = randomFrom(wishes(first)[0]?.seed ?? 1);
  await pause(random() * 5);
  phase = 'running';
  say({ type: 'agent_start' });
  const heard = [];
  const told = [];
  for (let words = [first]; words.length > 0; words = steering.splice(0)) {
    words.forEach((message) => listen(message, heard));
    words.forEach((message) => told.push(...[...message.matchAll(ENDED)].map(([, job]) => job)));
    await work(wishes(words[0])[0] ?? { shape: 'plain', ms: 50 }, heard, random, told);
    if (aborted) {
      break;
    }
  }
  say({ type: 'agent_end', messages: [] });
  note({ settled: heard.map(({ name }) => name) });
  phase = 'idle';
  aborted = false;
  say({ type: 'agent_settled' });
}

function listen(message, heard) {
  heard.push(...wishes(message));
  say({ type: 'turn_start' });
  const user = { role: 'user', content: text(message), timestamp: Date.now() };
  say({ type: 'message_start', message: user });
  say({ type: 'message_end', message: user });
  keep(user);
}

async function work({ shape, ms, fates }, heard, random, told) {
  for (const [step, fate] of (shape === 'jobs' ? fates : []).entries()) {
    const call = `call_bash_${entries.length}_${step}`;
    speak(`Job ${step}.`, 'toolUse', call, 'bash');
    await background(call, `sleep ${ms / 1_000}; echo fate-${fate}; exit ${step}`);
  }
  const parts = { jobs: 1, plain: 1, words: 1, file: 2, tools: STEPS + 1, long: Math.ceil(ms / LONG_STEP_MS) + 1, stopped: Math.ceil(ms / SHORT_STEP_MS) + 1 }[shape];
  for (let step = 1; step < parts && !aborted && steering.length === 0; step++) {
    const name = shape === 'file' ? 'showFile' : 'bash';
    const call = `call_${name}_${entries.length}_${step}`;
    speak(`Step ${step}.`, 'toolUse', call, name);
    await use(call, name, ms / parts, `${heard[0]?.name}-${step}`.replace(/[^\w-]/g, '-'));
  }
  if (steering.length > 0) {
    return;
  }
  const answers = [...(heard.length > 0 ? [`Answer to ${heard.map(({ name }) => name).join(', ')}.`] : []), ...(told.length > 0 ? [`Told of ${told.join(', ')}.`] : [])];
  const answer = `${answers.join(' ')}${shape === 'words' ? MORE_WORDS : ''}`;
  for (let delta = 0; delta < DELTAS && !aborted; delta++) {
    await pause((ms / parts / DELTAS) * (0.5 + random()));
    say({ type: 'message_update', assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: answer.slice((answer.length * delta) / DELTAS, (answer.length * (delta + 1)) / DELTAS) } });
  }
  speak(answer, aborted ? 'aborted' : 'stop');
}

function speak(words, stopReason, call, name) {
  const content = call ? [...text(words), { type: 'toolCall', id: call, name, arguments: {} }] : text(words);
  const message = { role: 'assistant', content, usage: USAGE, stopReason, model, provider: 'gorkie', timestamp: Date.now() };
  say({ type: 'message_start', message: { ...message, content: [] } });
  if (call) {
    say({ type: 'message_update', assistantMessageEvent: { type: 'toolcall_start', contentIndex: 1, id: call, toolName: name } });
  }
  say({ type: 'message_end', message });
  keep(message);
  flush();
}

async function use(call, name, ms, unique) {
  const args = name === 'showFile' ? { path: `${unique}.txt`, title: `File ${unique}` } : { command: `echo ${unique}`, status: `Doing ${unique}` };
  if (name === 'showFile') {
    writeFileSync(args.path, `The content of ${unique}.\n`);
  }
  say({ type: 'tool_execution_start', toolCallId: call, toolName: name, args });
  await pause(ms / 2);
  say({ type: 'tool_execution_update', toolCallId: call, toolName: name, args, partialResult: { content: text(`half of ${unique}`) } });
  await pause(ms / 2);
  const result = { content: text(`done ${unique}`), details: name === 'showFile' ? args : {} };
  say({ type: 'tool_execution_end', toolCallId: call, toolName: name, result, isError: false });
  keep({ role: 'toolResult', toolCallId: call, toolName: name, content: result.content, isError: false });
  say({ type: 'turn_end' });
}

async function background(call, command) {
  const args = { command, background: true, status: 'Beginning a job' };
  say({ type: 'tool_execution_start', toolCallId: call, toolName: 'bash', args });
  const id = randomUUID();
  const answer = new Promise((resolve) => asked.set(id, resolve));
  say({ type: 'extension_ui_request', id, method: 'input', title: 'gorkie:tool', placeholder: JSON.stringify({ name: 'startJob', args: { command, seconds: 900 } }) });
  const words = text(await answer);
  say({ type: 'tool_execution_end', toolCallId: call, toolName: 'bash', result: { content: words, details: {} }, isError: false });
  keep({ role: 'toolResult', toolCallId: call, toolName: 'bash', content: words, isError: false });
  say({ type: 'turn_end' });
}

// The session, written as the real one does: with the first answer, and from then on at once.

function keep(message) {
  const line = JSON.stringify({ type: 'message', id: (entries.length + 1).toString(16).padStart(8, '0'), timestamp: new Date().toISOString(), message });
  entries.push(line);
  if (file) {
    appendFileSync(file, `${line}\n`);
  }
}

function flush() {
  if (!file) {
    mkdirSync(folder, { recursive: true });
    file = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}_${session}.jsonl`);
    const header = { type: 'session', version: 3, id: session, timestamp: new Date().toISOString(), cwd: process.cwd() };
    writeFileSync(file, [JSON.stringify(header), ...entries, ''].join('\n'));
  }
}

function sessionFile() {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(`_${session}.jsonl`)) : [];
  return names.sort().map((name) => join(folder, name)).findLast((path) => readFileSync(path, 'utf8').startsWith('{"type":"session"'));
}

function wishes(message) {
  const fates = FATES.exec(message)?.[1].split(',') ?? [];
  return [...message.matchAll(WISH)].map(([, name, seed, shape, ms]) => ({ name, seed: Number(seed), shape, ms: Number(ms), fates }));
}

/** The same numbers below one for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function note(what) {
  appendFileSync(join(process.env.HOME, 'heard'), `${JSON.stringify({ at: Date.now(), ...what })}\n`);
}
