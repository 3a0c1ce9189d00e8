// The channel: the journal from an offset out, commands in, through whatever terminal or pipe this is started on.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { found, give, remove, wrongWith } from './inbox.mjs';
import { JournalReader, extent } from './journal.mjs';
import { Lines } from './lines.mjs';
import { holder } from './lock.mjs';
import { COMMAND_BYTES_MAX, PROTOCOL, highestFence, image, imageHash, installedPi, keyed, lastStatus, makePlaces, places } from './places.mjs';

const BEAT_MS = 5_000;
const SILENT_MS = 15_000;
const LOOK_MS = 500;
const LOOK_UNWATCHED_MS = 40;
const UP_MS = 10_000;
const PATIENCE_MS = 20;

/** Ends when its input ends or its output breaks. */
export async function attach(fence, offset) {
  makePlaces();
  const out = new Output();
  const reader = new JournalReader(places.journal, offset);
  await out.note({ hello: { ...hello(), from: reader.offset } });
  raiseFence(fence);

  let work = Promise.resolve();
  const lines = new Lines(
    COMMAND_BYTES_MAX,
    (line) => (work = work.then(() => obey(line, fence, out))),
    () => (work = work.then(() => out.note({ wrong: { reason: `a line of more than ${COMMAND_BYTES_MAX} bytes` } }))),
  );
  process.stdin.on('data', (chunk) => lines.push(chunk));
  process.stdin.on('end', () => work.finally(() => process.exit(0)));
  process.stdin.on('error', () => process.exit(0));

  setInterval(() => out.idle && out.note({ beat: { end: extent(places.journal).end, age: age() } }), BEAT_MS);
  await follow(reader, (bytes) => out.write(bytes));
}

/** One piece of the journal for those who have no terminal; waits until there is one, at most so long. */
export async function read(fence, offset, waitSeconds, bytesMax) {
  makePlaces();
  if (fence > highestFence()) {
    raiseFence(fence);
  }
  const reader = new JournalReader(places.journal, offset);
  const from = reader.offset;
  const pieces = [];
  let bytes = 0;
  const enough = new AbortController();
  const late = setTimeout(() => enough.abort(), waitSeconds * 1_000);
  await follow(
    reader,
    (piece) => {
      const kept = bytes === 0 ? wholeWithin(piece, bytesMax) : piece.length + bytes <= bytesMax ? piece : Buffer.alloc(0);
      pieces.push(Buffer.from(kept));
      bytes += kept.length;
      if (kept.length < piece.length) {
        enough.abort();
      }
    },
    enough.signal,
    () => bytes > 0,
  );
  clearTimeout(late);
  const data = Buffer.concat(pieces).toString('base64');
  await new Output().line(JSON.stringify({ hello: hello(), offset: from, data }));
}

/** Starts the keeper and tells how things stand. */
export async function startOnce({ fence = highestFence(), ...config }) {
  makePlaces();
  await start(config, fence);
  await new Output().line(JSON.stringify({ hello: hello() }));
}

function hello() {
  const alive = holder(places.lock) !== null;
  const status = lastStatus();
  const { begin, end } = extent(places.journal);
  return {
    protocol: alive ? status.protocol : PROTOCOL,
    image: alive ? status.image : imageHash(),
    pi: alive ? status.pi : installedPi().version,
    ...(alive && { boot: status.boot }),
    fence: highestFence(),
    begin,
    end,
    session: status.session,
  };
}

function raiseFence(fence) {
  give(places.inbox, fence, `fence-${randomBytes(8).toString('hex')}`, { type: 'keeper_fence' });
}

async function obey(line, fence, out) {
  let words;
  try {
    words = JSON.parse(line.toString('utf8'));
  } catch {
    words = null;
  }
  try {
    if (words?.start) {
      await start(words.start, fence);
    } else if (words?.give) {
      const { id, command } = words.give;
      const wrong = wrongWith(id, command);
      if (!wrong) {
        give(places.inbox, fence, id, command);
      }
      await out.note(wrong ? { wrong: { id, reason: wrong } } : { taken: { id } });
    } else {
      await out.note({ wrong: { reason: 'a line that is neither start nor give' } });
    }
  } catch (error) {
    await out.note({ wrong: { id: words?.give?.id, reason: error.message } });
  }
}

// Starting the keeper

async function start(config, fence, mayRepeat = true) {
  const { session, cwd, model } = config;
  if (![session, cwd, model?.baseUrl, model?.id].every((word) => typeof word === 'string' && word)) {
    throw new Error('a start names session, cwd, model.baseUrl and model.id');
  }
  const { force, anew, ...wanted } = { ...config, key: config.key ?? process.env.GORKIE_MODEL_KEY };
  // What is at work goes on, unless whoever has the thread wants to have nothing to do with what was begun before this command.
  const ended = force || (typeof anew === 'string' && fence >= highestFence() && !isGiven(anew));
  const pid = holder(places.lock);
  if (pid !== null && !ended) {
    const isBeating = await beats(pid);
    // Only now: one that is just coming up has not said before what it is for.
    const status = lastStatus();
    const same = isFor(wanted, status);
    const busy = ['starting', 'running'].includes(status.phase);
    const isThere = holder(places.lock) !== null;
    if (!isBeating) {
      await kill(pid);
    } else if (isThere && (same || busy)) {
      return;
    } else if (isThere) {
      give(places.inbox, fence, `quit-${randomBytes(8).toString('hex')}`, { type: 'keeper_quit', idle: true });
      if (!(await until(() => holder(places.lock) === null))) {
        return;
      }
    }
  }
  if (ended) {
    await kill(pid);
  }
  if (force) {
    // Whoever may force it holds the thread by the database's word; a higher fence in here is forged or from a copy.
    rmSync(places.fence, { force: true });
    found(places.inbox, new Map()).filter((entry) => entry.fence > fence).forEach(remove);
  }
  launch(ended ? { ...wanted, forcedBy: fence } : wanted);
  const up = await until(() => holder(places.lock) !== null && holder(places.lock) === lastStatus().pid);
  if (!up) {
    throw new Error(`the keeper did not start: ${readFileSync(places.errors, 'utf8').slice(-500)}`);
  }
  if (mayRepeat && fence >= highestFence() && !isFor(wanted, lastStatus())) {
    // Whoever had the thread before was quicker: that one does not come a second time.
    await start(config, fence, false);
  }
}

function isFor({ session, key, model, permissions }, status) {
  return status.session === session && status.keyed === keyed(session, key) && JSON.stringify(status.model) === JSON.stringify(model) && status.permissions === permissions;
}

function isGiven(id) {
  try {
    return readFileSync(places.given, 'utf8').split('\n').includes(id);
  } catch {
    return false;
  }
}

/**
 * A session of its own and a parent that ends at once: neither the terminal's hang-up nor a walk down the tree of
 * processes reaches it. What it must know goes through a pipe, since arguments and files can be read by others.
 */
function launch(config) {
  const script = 'exec 3<&0; "$@" <&3 3<&- >/dev/null 2>"$ERRORS" &';
  const program = fileURLToPath(new URL('../keeper.mjs', import.meta.url));
  const { GORKIE_MODEL_KEY, ...env } = process.env;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, program, 'keep'], {
    cwd: places.state,
    detached: true,
    env: { ...env, GORKIE: image, ERRORS: places.errors },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.stdin.end(JSON.stringify(config));
}

/** Whether the keeper beats its heart; one that was frozen with its machine gets time to. */
async function beats(pid) {
  const isHeard = () => lastStatus().pid === pid && age() < SILENT_MS;
  return isHeard() || until(() => isHeard() || holder(places.lock) !== pid);
}

async function kill(pid) {
  if (pid !== null) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
    await until(() => holder(places.lock) !== pid);
  }
}

async function until(holds) {
  for (let waited = 0; waited < UP_MS; waited += PATIENCE_MS) {
    if (holds()) {
      return true;
    }
    await sleep(PATIENCE_MS);
  }
  return holds();
}

/** Milliseconds since the keeper's last sign of life; undefined where none ever ran. */
function age() {
  try {
    return Math.max(0, Math.round(Date.now() - statSync(places.status).mtimeMs));
  } catch {
    return undefined;
  }
}

// Reading on

/** Hands on what the journal has and then what it gets, until the signal or until `satisfied` at its end. */
async function follow(reader, hand, signal, satisfied = () => false) {
  let wake = () => {};
  let look = LOOK_MS;
  try {
    watch(places.journal, { signal }, () => wake()).on('error', () => {});
  } catch {
    look = LOOK_UNWATCHED_MS;
  }
  signal?.addEventListener('abort', () => wake());
  while (!signal?.aborted) {
    const bytes = reader.next();
    if (bytes) {
      await hand(bytes);
    } else if (satisfied()) {
      break;
    } else {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, look);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  reader.close();
}

/** As many whole records as fit, and the first one in any case. */
function wholeWithin(bytes, max) {
  if (bytes.length <= max) {
    return bytes;
  }
  const fitting = bytes.lastIndexOf(0x0a, max - 1);
  return bytes.subarray(0, (fitting === -1 ? bytes.indexOf(0x0a) : fitting) + 1);
}

class Output {
  #last = Promise.resolve();
  #pending = 0;

  constructor() {
    process.stdout.on('error', () => process.exit(0));
    // Node writes to terminals synchronously: one that nobody reads would stop the input, too.
    process.stdout._handle?.setBlocking?.(false);
  }

  get idle() {
    return this.#pending === 0;
  }

  /** Resolves when the bytes are gone, so that their buffer can be used again. Writes never interleave. */
  write(bytes) {
    this.#pending++;
    this.#last = this.#last.then(() => new Promise((gone) => process.stdout.write(bytes, gone))).finally(() => this.#pending--);
    return this.#last;
  }

  line(text) {
    return this.write(`${text}\n`);
  }

  note(fields) {
    return this.line(`#${JSON.stringify(fields)}`);
  }
}
