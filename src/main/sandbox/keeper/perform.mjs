// What a program wants done on this machine: each wish once, its outcome kept for whoever asks again.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, copyFileSync, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants as system } from 'node:os';
import { basename, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeAside, writeWhole } from './disk.mjs';
import { Refused, below, bringIn, confined, glob, grep, opened, readBinary, readText, write } from './folder.mjs';
import { Log, readLog } from './log.mjs';
import { environment } from './pi.mjs';
import { OPERATION, places } from './places.mjs';
import { endMarked, startOf } from './processes.mjs';

const LOOK_MS = 20;
// A node process is up in some tenths of a second, on a busy machine in some seconds.
const UP_MS = 60_000;
// A program that was told to end may tidy up first.
const GRACE_MS = 1_000;
const LAST_WORDS_MS = 1_000;
const OUTPUT_BYTES_MAX = 256 * 1024;
const STREAM_BYTES = 64 * 1024;
const ARTIFACTS_MAX = 20;
const ARTIFACT_BYTES_MAX = 100 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
// Each may have left artifacts, and printed three pieces to each of its outputs.
const KEPT_MAX = 50;
const KEPT_MS = 24 * 60 * 60_000;
const KEPT_BYTES_MAX = 500 * 1024 * 1024;
// Longer than anybody takes to bring in what is to be copied.
const LEFT_MS = 60 * 60_000;
const LOG_PIECE_BYTES = 128 * 1024;

const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const TRY = /^[A-Za-z0-9-]{1,64}$/;

const TYPES = {
  csv: 'text/csv', gif: 'image/gif', html: 'text/html', jpeg: 'image/jpeg', jpg: 'image/jpeg', json: 'application/json', md: 'text/markdown',
  pdf: 'application/pdf', png: 'image/png', svg: 'image/svg+xml', txt: 'text/plain', webp: 'image/webp', zip: 'application/zip',
};

const operation = (id) => {
  const folder = join(places.performed, id);
  return {
    folder,
    request: join(folder, 'request'),
    begun: join(folder, 'begun'),
    over: join(folder, 'over'),
    state: join(folder, 'state'),
    result: join(folder, 'result'),
    stdout: join(folder, 'stdout'),
    stderr: join(folder, 'stderr'),
    artifacts: join(folder, 'artifacts'),
    incoming: join(folder, 'in'),
  };
};

/**
 * Has the wish carried out, unless it was, and waits for that for so long at most. The answer tells what came of it, or what it has
 * printed from these offsets on. The wish is given here, or lies in its folder already.
 */
export async function perform(id, given, waitSeconds, offsets) {
  if (!OPERATION.test(id)) {
    return { state: 'unknown' };
  }
  const { folder, request, begun, state: by, stdout, stderr } = operation(id);
  const wish = given ? JSON.parse(given) : read(request);
  if (!wish) {
    return { state: 'unknown' };
  }
  if (wish.kind !== 'execute') {
    // Whoever listens wants nothing done.
    return offsets ? { state: 'unknown' } : { state: 'done', result: await atOnce(wish, id) };
  }
  if (offsets && !given && !existsSync(begun)) {
    // Whoever listens begins nothing, either.
    return { state: 'unknown' };
  }
  try {
    if (!existsSync(request)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeAside(request, given);
    }
    begin(id);
  } catch (error) {
    return { state: 'done', result: outcomeOfFailure(error) };
  }
  if (wish.env && existsSync(by)) {
    // It was given once more to one that has begun, and has read it before it said so.
    clear(request, wish.kind);
  }
  for (let waited = 0; waited < waitSeconds * 1_000 && !hasMore(id, offsets); waited += LOOK_MS) {
    await sleep(LOOK_MS);
  }
  const state = stateOf(id);
  return { ...state, ...(offsets && { output: { stdout: more(stdout, offsets.stdout), stderr: more(stderr, offsets.stderr) } }) };
}

/** It leaves nothing but what is to be fetched. Another try of it may be under way, with what was brought in for that one. */
async function atOnce(wish, id) {
  const { folder, request, over } = operation(id);
  try {
    return await outcomeOf(wish, id);
  } finally {
    [request, broughtIn(wish, id)].forEach((path) => rmSync(path, { recursive: true, force: true }));
    if (existsSync(folder)) {
      mkdirSync(over, { recursive: true });
    }
  }
}

/** Where what is to be copied lies. */
function broughtIn({ in: by }, id) {
  const { incoming } = operation(id);
  return TRY.test(by ?? '') ? join(incoming, by) : incoming;
}

/** What is secret in a program's environment stays nowhere. */
function clear(request, kind) {
  writeAside(request, JSON.stringify({ kind }));
}

/** What is to be told before the time is over: the end, and to those who listen whatever is printed. */
function hasMore(id, offsets) {
  const { stdout, stderr } = operation(id);
  return stateOf(id).state === 'done' || (offsets && (readLog(stdout, offsets.stdout, 1).bytes.length > 0 || readLog(stderr, offsets.stderr, 1).bytes.length > 0));
}

/** Whole characters, where more may come. */
function more(folder, offset) {
  const { next, end, bytes } = readLog(folder, offset, STREAM_BYTES);
  const whole = next < end ? bytes.length : wholeBytes(bytes);
  return { next: next - bytes.length + whole, text: bytes.subarray(0, whole).toString('utf8') };
}

function wholeBytes(bytes) {
  const decoder = new StringDecoder('utf8');
  decoder.write(bytes);
  return bytes.length - (decoder.lastNeed > 0 ? decoder.lastTotal - decoder.lastNeed : 0);
}

function stateOf(id) {
  const { request, result, state } = operation(id);
  const done = read(result);
  if (done) {
    return { state: 'done', result: done };
  }
  const by = read(state);
  const isAlive = by ? startOf(by.pid) === by.start : Date.now() - (statSync(request, { throwIfNoEntry: false })?.mtimeMs ?? 0) < UP_MS;
  // Between the two looks it may have come to its end.
  return isAlive || existsSync(result) ? { state: 'running' } : { state: 'done', result: { error: 'lost', message: 'the machine was stopped while it ran' } };
}

function begin(id) {
  try {
    mkdirSync(operation(id).begun);
  } catch (error) {
    if (error.code === 'EEXIST') {
      return;
    }
    throw error;
  }
  forgetOld(id);
  const program = fileURLToPath(new URL('../keeper.mjs', import.meta.url));
  const { GORKIE_MODEL_KEY, ...env } = process.env;
  const shell = spawn('/bin/sh', ['-c', '"$@" </dev/null >/dev/null 2>&1 &', 'sh', process.execPath, '--max-old-space-size=128', program, 'performing', id], {
    detached: true,
    env,
    stdio: 'ignore',
  });
  shell.on('error', () => {});
}

/** The oldest first, until what is left is young, few and small enough. */
function forgetOld(present) {
  const all = (existsSync(places.performed) ? readdirSync(places.performed) : [])
    .filter((id) => OPERATION.test(id) && id !== present && isOver(id))
    .map((id) => ({ id, at: statSync(operation(id).folder, { throwIfNoEntry: false })?.mtimeMs ?? 0, bytes: bytesOf(operation(id)) }))
    .sort((a, b) => b.at - a.at);
  let bytes = 0;
  all.forEach(({ id, at, bytes: own }, index) => {
    bytes += own;
    const { folder, stdout, stderr } = operation(id);
    if (index >= KEPT_MAX || Date.now() - at > KEPT_MS || bytes > KEPT_BYTES_MAX) {
      rmSync(folder, { recursive: true, force: true });
    } else if (Date.now() - at > UP_MS) {
      // Whoever listened has heard it; the outcome says what is to be known of it.
      [stdout, stderr].forEach((log) => rmSync(log, { recursive: true, force: true }));
    }
  });
}

/** One that has not begun yet may be about to, with what is being brought in for it. */
function isOver(id) {
  const { folder, begun, over, result } = operation(id);
  const isLeft = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFT_MS;
  return existsSync(result) || existsSync(over) || isLeft || (existsSync(begun) && stateOf(id).state === 'done');
}

/** What is large of one. */
function bytesOf({ folder, artifacts }) {
  return [folder, artifacts].reduce((sum, one) => sum + bytesIn(one), 0);
}

function bytesIn(folder) {
  try {
    return readdirSync(folder).reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
  } catch {
    return 0;
  }
}

/** In a process of its own, which nobody's connection ends. */
export async function performing(id) {
  const { request, state, result, stdout, stderr } = operation(id);
  process.on('SIGHUP', () => {});
  // Before it says that it has begun: from then on this is cleared wherever it is found.
  const wish = read(request);
  writeWhole(state, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }));
  clear(request, wish.kind);
  const outcome = JSON.stringify(await outcomeOf(wish, id));
  try {
    writeWhole(result, outcome);
  } catch {
    // A program may fill the disk. What it came to is worth more than what it has printed.
    [stdout, stderr].forEach((log) => rmSync(log, { recursive: true, force: true }));
    writeWhole(result, outcome);
  }
  process.exit(0);
}

async function outcomeOf({ kind, ...wish }, id) {
  try {
    return await performed(kind, wish, id);
  } catch (error) {
    return outcomeOfFailure(error);
  }
}

function outcomeOfFailure(error) {
  if (error instanceof Refused) {
    return { error: error.word, message: error.message };
  }
  return NO_ROOM.includes(error.code)
    ? { error: 'disk_full', message: 'there is no room left on the disk of this machine' }
    : { error: 'failed', message: error.message };
}

function performed(kind, wish, id) {
  switch (kind) {
    case 'execute':
      return execute(wish, id);
    case 'read':
      return readText(wish);
    case 'read_binary':
      return readBinary(wish) ?? { path: wish.path, artifact: keptAlone(wish.path, id) };
    case 'write':
      return write(wish);
    case 'copy':
      return { files: wish.files.map((file, index) => copied(file, join(broughtIn(wish, id), String(index)))) };
    case 'grep':
      return grep(wish);
    case 'glob':
      return glob(wish);
    default:
      throw new Refused('not_here', 'this machine is of an older deployment and knows nothing of this kind');
  }
}

/** One that can't be written keeps no other from being. */
function copied(file, source) {
  if (file.error) {
    return { path: file.path, error: file.error };
  }
  try {
    return file.artifact ? bringIn(source, file.path) : write(file);
  } catch (error) {
    return { path: file.path, error: error instanceof Refused ? error.word : 'failed' };
  }
}

// Running

/** How a program is told its code: by its input, where it then finds what lies in the work directory, or by a file. */
const PROGRAMS = {
  bash: (file) => ['/bin/bash', file],
  node: (_, megabytes) => [process.execPath, ...(megabytes ? [`--max-old-space-size=${megabytes}`] : []), '-'],
  python: () => ['python3', '-'],
};

async function execute({ language, code, env = {}, timeout, memory_mb: megabytes, max_output: most }, id) {
  const { folder, stdout, stderr } = operation(id);
  const file = join(folder, 'code');
  writeAside(file, code);
  // By the clock of the disk, which runs a little behind.
  const since = statSync(file).ctimeMs;
  const mark = `GORKIE_OPERATION=${id}`;
  const began = Date.now();
  const command = PROGRAMS[language](file, megabytes);
  // Node reserves more than it takes, and is told by its own word.
  const child = spawn(...(megabytes && language !== 'node' ? limited(megabytes, command) : [command[0], command.slice(1)]), {
    cwd: process.cwd(),
    detached: true,
    env: { ...environment(mark), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(language === 'bash' ? '' : code);
  const outputs = [new Output(child.stdout, stdout, most), new Output(child.stderr, stderr, most)];
  let timedOut = false;
  const late = setTimeout(() => {
    timedOut = true;
    signal(child, 'SIGTERM');
    setTimeout(() => signal(child, 'SIGKILL'), GRACE_MS);
  }, timeout * 1_000);
  const exit = await ended(child);
  clearTimeout(late);
  const duration = Date.now() - began;
  // What it left in the background has nobody who looks after it.
  signal(child, 'SIGKILL');
  await endMarked(mark);
  const [out, errors] = outputs.map((output) => output.told());
  return {
    ok: exit.code === 0 && !timedOut,
    exit_code: exit.code ?? 128 + (system.signals[exit.signal] ?? 0),
    timed_out: timedOut,
    duration_ms: duration,
    stdout: out.text,
    stderr: errors.text,
    truncated: out.truncated || errors.truncated,
    stdout_bytes: out.bytes,
    stderr_bytes: errors.bytes,
    artifacts: artifacts(since, id),
  };
}

/** What the program may take for itself is limited by the shell that becomes it. */
function limited(megabytes, command) {
  return ['/bin/sh', ['-c', 'ulimit -v "$0" && exec "$@"', String(megabytes * 1024), ...command]];
}

/** All of its group. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has ended.
  }
}

function ended(child) {
  return new Promise((resolve) => {
    let exit;
    child.on('error', () => resolve({ code: 127 }));
    child.on('close', () => resolve(exit));
    child.on('exit', (code, name) => {
      exit = { code, signal: name };
      setTimeout(() => resolve(exit), LAST_WORDS_MS);
    });
  });
}

/** All of it for whoever listens, as far as that fits; of what is told in the end the beginning and the end. */
class Output {
  #log;
  #half;
  #head = [];
  #headBytes = 0;
  #tail = Buffer.alloc(0);
  #bytes = 0;

  constructor(stream, folder, most) {
    this.#log = new Log(folder, LOG_PIECE_BYTES);
    this.#half = Math.min(most, OUTPUT_BYTES_MAX) >> 1;
    stream.on('data', (bytes) => this.#take(bytes));
    stream.on('error', () => {});
  }

  #take(bytes) {
    this.#log.append(bytes);
    this.#bytes += bytes.length;
    const toHead = Math.min(this.#half - this.#headBytes, bytes.length);
    if (toHead > 0) {
      this.#head.push(bytes.subarray(0, toHead));
      this.#headBytes += toHead;
    }
    if (toHead < bytes.length) {
      this.#tail = Buffer.concat([this.#tail, bytes.subarray(Math.max(toHead, bytes.length - this.#half))]).subarray(-this.#half);
    }
  }

  told() {
    const head = Buffer.concat(this.#head);
    const missing = this.#bytes - head.length - this.#tail.length;
    if (missing === 0) {
      return { text: Buffer.concat([head, this.#tail]).toString('utf8'), bytes: this.#bytes, truncated: false };
    }
    const whole = head.subarray(0, wholeBytes(head)).toString('utf8');
    let from = 0;
    while (from < 3 && (this.#tail[from] & 0xc0) === 0x80) {
      from += 1;
    }
    const text = `${whole}\n[${missing} bytes are left out here]\n${this.#tail.subarray(from).toString('utf8')}`;
    return { text, bytes: this.#bytes, truncated: true };
  }
}

// Artifacts

/** What has come into `output/` since then, kept where nothing changes it. */
function artifacts(since, id) {
  if (!existsSync('output')) {
    return [];
  }
  const found = [];
  for (const { path } of below('output').files.filter(({ changed }) => changed >= since).slice(-ARTIFACTS_MAX)) {
    try {
      found.push(kept(path, id));
    } catch {
      // It is gone, too large, or no file any more: nothing that could be fetched.
    }
  }
  return found;
}

function keptAlone(path, id) {
  forgetOld(id);
  return kept(path, id);
}

function kept(path, id) {
  const { artifacts: folder } = operation(id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fd = opened(path);
  const aside = join(folder, `.${process.pid}-${process.hrtime.bigint()}`);
  try {
    mustBeSmall(fstatSync(fd).size);
    // The way through the descriptor is to what was looked at; elsewhere than on Linux the path has to do.
    copyFileSync(existsSync('/proc/self/fd') ? `/proc/self/fd/${fd}` : confined(path), aside, constants.COPYFILE_FICLONE);
    const { size } = statSync(aside);
    // It may have grown meanwhile.
    mustBeSmall(size);
    const sha256 = hashOf(aside);
    renameSync(aside, join(folder, sha256));
    return { path, name: basename(path), type: typeOf(path), size, sha256 };
  } finally {
    closeSync(fd);
    rmSync(aside, { force: true });
  }
}

function mustBeSmall(size) {
  if (size > ARTIFACT_BYTES_MAX) {
    throw new Refused('too_large', `the file has ${size} bytes; ${ARTIFACT_BYTES_MAX} may be fetched`);
  }
}

function hashOf(path) {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  const fd = openSync(path, 'r');
  try {
    for (let bytes; (bytes = readSync(fd, piece)) > 0; ) {
      hash.update(piece.subarray(0, bytes));
    }
    return hash.digest('hex');
  } finally {
    closeSync(fd);
  }
}

function typeOf(path) {
  return TYPES[path.split('.').at(-1).toLowerCase()] ?? 'application/octet-stream';
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
