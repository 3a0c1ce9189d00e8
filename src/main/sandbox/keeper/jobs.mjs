// Work that goes on when Pi's run is over: what there is of it, how it stands, how it is begun and stopped.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeWhole } from './disk.mjs';
import { readLog } from './log.mjs';
import { JOB, places } from './places.mjs';
import { endMarked, startOf } from './processes.mjs';
import { tail } from './thin.mjs';

// A node process is up in some tenths of a second, on a busy machine in some seconds.
const UP_MS = 60_000;
const STOPPED_MS = 10_000;
const LOOK_MS = 50;
// What is told of a job's output by the way; the rest is asked for.
const TAIL_CHARS = 4_000;
// Of four bytes each.
const TAIL_BYTES = 4 * TAIL_CHARS;
const KEPT_MAX = 50;
const KEPT_MS = 7 * 24 * 60 * 60_000;

export const job = (id) => ({
  folder: join(places.jobs, id),
  start: join(places.jobs, id, 'start'),
  token: join(places.jobs, id, 'token'),
  state: join(places.jobs, id, 'state'),
  log: join(places.jobs, id, 'log'),
});

/** Has a process of its own look after the job; it outlives the keeper, Pi and every connection. */
export function begin({ job: id, command, limitSeconds, url, token }, cwd) {
  const { folder, start, token: secret } = job(id);
  mkdirSync(places.jobs, { recursive: true, mode: 0o700 });
  forgetOld();
  mkdirSync(folder, { mode: 0o700 });
  if (token) {
    writeWhole(secret, token);
  }
  writeWhole(start, JSON.stringify({ command, cwd, limitSeconds, url, at: Date.now() }));
  const script = '"$@" </dev/null >/dev/null 2>&1 &';
  const program = fileURLToPath(new URL('../keeper.mjs', import.meta.url));
  const { GORKIE_MODEL_KEY, ...env } = process.env;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, '--max-old-space-size=64', program, 'supervise', id], {
    cwd: folder,
    detached: true,
    // The way out may lead through a proxy.
    env: { ...env, NODE_USE_ENV_PROXY: '1' },
    stdio: 'ignore',
  });
  shell.on('error', () => {});
}

/** Why this can be no job, or null when it can. */
export function wrongWithJob({ job: id, command, limitSeconds }) {
  const fits = typeof id === 'string' && JOB.test(id) && typeof command === 'string' && Number.isSafeInteger(limitSeconds) && limitSeconds > 0;
  return fits ? null : 'a job names itself, its command and its limit';
}

/** How a job stands: `running`, `exited`, `stopped`, `limit`, `lost`, or `unknown` where there is none of this id. */
export function stateOf(id) {
  const { start, state, log } = job(id);
  const begun = JOB.test(id) ? read(start) : undefined;
  if (!begun) {
    return { job: id, state: 'unknown' };
  }
  const told = read(state);
  const now = told ?? { state: 'running', began: begun.at };
  const { pid, began, ended, ...rest } = now;
  const isLost = now.state === 'running' && (told ? startOf(pid) !== told.start : Date.now() - begun.at > UP_MS);
  const until = ended ?? Date.now();
  delete rest.start;
  return {
    job: id,
    command: begun.command,
    ...rest,
    ...(isLost && { state: 'lost' }),
    seconds: Math.max(0, Math.round((until - began) / 1_000)),
    tail: tail(readLog(log, undefined, TAIL_BYTES).bytes.toString('utf8'), TAIL_CHARS),
  };
}

/** The same of several, for those who ask from outside. What a lost one has left running is ended: it belongs to no job. */
export async function looked(ids) {
  const states = [];
  for (const id of ids) {
    const { command, ...state } = stateOf(id);
    if (state.state === 'lost') {
      await endMarked(markOf(id));
    }
    states.push(state);
  }
  return states;
}

/** By this in their environment a job's processes are known. */
export function markOf(id) {
  return `GORKIE_JOB=${id}`;
}

/** All that are known here, oldest first. */
export function allJobs() {
  return names()
    .map((id) => ({ id, at: read(job(id).start)?.at }))
    .filter(({ at }) => at !== undefined)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({ id }) => stateOf(id));
}

export function anyJobs() {
  return names().length > 0;
}

/** Ends all of it and tells how it stands then. */
export async function stopJob(id) {
  for (let waited = 0; waited < STOPPED_MS && stateOf(id).state === 'running'; waited += LOOK_MS) {
    const told = read(job(id).state);
    // One that has not said who looks after it has not begun yet, either.
    if (waited % 1_000 === 0 && told && startOf(told.pid) === told.start) {
      try {
        process.kill(told.pid, 'SIGTERM');
      } catch {
        // It ended by itself.
      }
    }
    await sleep(LOOK_MS);
  }
  return stateOf(id);
}

/** What it has printed from the offset on, or last. */
export function logOf(id, offset, max) {
  const { from, next, end, bytes } = readLog(job(id).log, offset, max);
  // Where there is more, whole lines, so that no character is cut.
  const whole = next < end ? bytes.lastIndexOf(0x0a) + 1 || bytes.length : bytes.length;
  return { from, next: from + whole, end, text: bytes.subarray(0, whole).toString('utf8') };
}

function forgetOld() {
  const over = allJobs().filter(({ state }) => state !== 'running');
  const tooMany = over.slice(0, Math.max(0, over.length - KEPT_MAX));
  const tooOld = over.filter(({ job: id }) => Date.now() - statSync(job(id).start).mtimeMs > KEPT_MS);
  [...tooMany, ...tooOld].forEach(({ job: id }) => rmSync(job(id).folder, { recursive: true, force: true }));
}

function names() {
  try {
    return readdirSync(places.jobs).filter((name) => JOB.test(name));
  } catch {
    return [];
  }
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
