// What the keeper makes of what Pi says, and how fast: of the recorded transcripts, of an answer of 20 KB and one of ten times that, and of
// a tool that prints 3 MB.
//
//   $GORKIE/bin/node --expose-gc --max-semi-space-size=1024 src/test/sandbox/bench/records.mjs <folder> <times>
//
// puts what Pi said (.raw) and what becomes of it (.journal) into the folder, and prints a line of JSON for each:
// {"name","raw","thinned","records","mbPerS":[…],"allocated":[…]}, by the time that a core was busy with it and in bytes for each of Pi's records.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Model, calls, says } from '../world/model.mjs';
import { image } from '../world/sandbox.mjs';

const [folder, times] = process.argv.slice(2);
const TRANSCRIPTS = join(import.meta.dirname, '..', '..', 'resources', 'transcripts');
const CHUNK_BYTES = 64 * 1024;
const MEASURED_BYTES = 16 * 1024 * 1024;
const UNCOUNTED = 3;
// A model says some hundred words a second, four characters at a time.
const DELTA_CHARS = 4;
const DELTA_MS = 10;
const ANSWER_CHARS = 20_000;
const LONGER = 10;
const PRINTED_BYTES = 3_000_000;

let runs = 0;
const home = mkdtempSync(join(tmpdir(), 'records-'));
process.env.HOME = home;
process.env.GORKIE = image;
const keeper = (name) => import(pathToFileURL(join(image, 'keeper', name)));
const { Lines } = await keeper('lines.mjs');
const { Thinner } = await keeper('thin.mjs');
const { Pi } = await keeper('pi.mjs');
const { makePlaces } = await keeper('places.mjs');

mkdirSync(folder, { recursive: true });
const raw = { transcripts: transcripts(), ...(await said()) };
rmSync(home, { recursive: true, force: true });
for (const [name, bytes] of Object.entries(raw)) {
  writeFileSync(join(folder, `${name}.raw`), bytes);
  const { journal, records } = thinned(bytes);
  writeFileSync(join(folder, `${name}.journal`), journal);
  console.log(JSON.stringify({ name, raw: bytes.length, thinned: journal.length, records, mbPerS: measured(bytes), allocated: allocated(bytes) }));
}
process.exit(0);

/** What Pi said in all the recorded transcripts, one after the other. */
function transcripts() {
  const lines = [];
  for (const file of readdirSync(TRANSCRIPTS).sort()) {
    for (const line of readFileSync(join(TRANSCRIPTS, file), 'utf8').split('\n').filter(Boolean)) {
      const { dir, msg } = JSON.parse(line);
      if (dir === 'out' && msg) {
        lines.push(`${JSON.stringify(msg)}\n`);
      }
    }
  }
  return Buffer.from(lines.join(''));
}

/** What the real Pi says while it gives a long answer, and while a tool of its prints much. */
async function said() {
  makePlaces();
  const text = prose(ANSWER_CHARS);
  const model = await Model.start();
  const answer = await run(model, [says(text, DELTA_CHARS)]);
  const longer = await run(model, [says(prose(LONGER * ANSWER_CHARS), DELTA_CHARS)]);
  const command = `node -e 'const line = "x".repeat(99) + "\\n"; for (let i = 0; i < ${PRINTED_BYTES / 100}; i++) process.stdout.write(line)'`;
  const output = await run(model, [calls(['bash', { command, status: 'Printing' }]), says('Done.')]);
  model.stop();
  return { answer, longer, output };
}

/** Paragraphs, lists and code, as an answer has them. */
function prose(chars) {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'keeper.md'), 'utf8');
  return page.repeat(Math.ceil(chars / page.length)).slice(0, chars);
}

function run(model, replies) {
  model.will(...replies);
  const lines = [];
  return new Promise((resolve) => {
    const pi = new Pi({ session: `records-${++runs}`, cwd: home, model: { baseUrl: model.baseUrl, id: 'scripted' }, key: 'sk-records' }, 'GORKIE_BOOT=records', {
      hears: (record) => {
        lines.push(`${JSON.stringify(record)}\n`);
        if (record.type === 'agent_settled') {
          pi.close();
        }
      },
      noise: () => {},
      ends: () => resolve(Buffer.from(lines.join(''))),
    });
    pi.say({ id: 'm1', type: 'prompt', message: 'Go.' });
  });
}

/** With the pauses between a model's words, which the keeper fills by waiting for more. */
function thinned(bytes) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const lines = ['{"type":"keeper_command","id":"m1","fence":1,"command":"prompt"}\n'];
  const thinner = new Thinner((record) => lines.push(`${JSON.stringify(record)}\n`), () => 'm1');
  pump(bytes, (record, length) => {
    thinner.accept(record, length);
    if (record.assistantMessageEvent?.type === 'text_delta') {
      mock.timers.tick(DELTA_MS);
    }
  });
  thinner.end();
  mock.timers.reset();
  return { journal: lines.join(''), records: lines.length };
}

function pump(bytes, hears) {
  const lines = new Lines(bytes.length, (line) => hears(JSON.parse(line.toString('utf8')), line.length), () => {});
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    lines.push(bytes.subarray(at, at + CHUNK_BYTES));
  }
}

function measured(bytes) {
  const passes = Math.ceil(MEASURED_BYTES / bytes.length);
  const speeds = [];
  for (let time = 0; time < Number(times) + UNCOUNTED; time++) {
    const before = process.cpuUsage();
    for (let pass = 0; pass < passes; pass++) {
      through(bytes);
    }
    const { user, system } = process.cpuUsage(before);
    speeds.push((bytes.length * passes) / (user + system));
  }
  return speeds.slice(UNCOUNTED).map((speed) => Math.round(speed * 10) / 10);
}

function through(bytes) {
  let written = 0;
  let records = 0;
  const thinner = new Thinner((record) => (written += JSON.stringify(record).length), () => 'm1');
  pump(bytes, (record, length) => {
    records++;
    thinner.accept(record, length);
  });
  thinner.end();
  return records;
}

/** The young generation has room for all of a pass, so that nothing is collected meanwhile. */
function allocated(bytes) {
  const each = [];
  for (let time = 0; time < UNCOUNTED; time++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const records = through(bytes);
    each.push(Math.round((process.memoryUsage().heapUsed - before) / records));
  }
  return each;
}
