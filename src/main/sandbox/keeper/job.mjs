// One job's supervisor: runs its command, keeps what it prints, ends it when it must, and says how it ended.

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from './disk.mjs';
import { job, markOf, stateOf } from './jobs.mjs';
import { Log } from './log.mjs';
import { environment } from './pi.mjs';
import { endMarked, startOf } from './processes.mjs';

// A program that was told to end may tidy up first.
const GRACE_MS = 1_000;
const LAST_WORDS_MS = 1_000;
const RETRY_MS = 1_000;
const WRITTEN_MS = 60_000;
const POST_MS = 10_000;
// A worker that is being deployed is back by then; after that, whoever looks from time to time finds the end.
const POSTED_AFTER_SECONDS = [0, 1, 5, 30, 120, 600];

export async function supervise(id) {
  const { start, state, log } = job(id);
  const { command, cwd, limitSeconds, url } = JSON.parse(readFileSync(start, 'utf8'));
  const began = Date.now();
  const lines = new Log(log);
  const mark = markOf(id);

  let why = 'exited';
  let child;
  const end = (reason) => {
    if (why === 'exited') {
      why = reason;
      signal(child, 'SIGTERM');
      setTimeout(() => signal(child, 'SIGKILL'), GRACE_MS);
    }
  };
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => end('stopped'));
  process.on('uncaughtException', (error) => lines.append(Buffer.from(`\n[${error.message}]\n`)));
  writeWhole(state, JSON.stringify({ state: 'running', pid: process.pid, start: startOf(process.pid), began }));

  child = spawn('/bin/bash', ['-c', command], { cwd, detached: true, env: environment(mark), stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (bytes) => lines.append(bytes));
  child.stderr.on('data', (bytes) => lines.append(bytes));
  if (why !== 'exited') {
    signal(child, 'SIGKILL');
  }
  const late = setTimeout(() => end('limit'), limitSeconds * 1_000);
  const exit = await ended(child, lines);
  clearTimeout(late);
  // What it left in the background has nobody any more who looks after it.
  signal(child, 'SIGKILL');
  await endMarked(mark);

  const code = exit.code ?? 128 + (constants.signals[exit.signal] ?? 0);
  await written(state, JSON.stringify({ state: why, code, ...(exit.signal && { signal: exit.signal }), began, ended: Date.now() }));
  await told(id, url);
  process.exit(0);
}

/** All of the job's own group. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has ended.
  }
}

function ended(child, lines) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      lines.append(Buffer.from(`${error.message}\n`));
      resolve({ code: 127 });
    });
    let exit;
    child.on('close', () => resolve(exit));
    child.on('exit', (code, name) => {
      exit = { code, signal: name };
      setTimeout(() => resolve(exit), LAST_WORDS_MS);
    });
  });
}

/** On a full disk nobody would ever know; there may be room in a moment. */
async function written(path, content) {
  for (let waited = 0; waited < WRITTEN_MS; waited += RETRY_MS) {
    try {
      writeWhole(path, content);
      return;
    } catch {
      await sleep(RETRY_MS);
    }
  }
}

async function told(id, url) {
  const secret = job(id).token;
  const { command, ...end } = stateOf(id);
  for (const seconds of url ? POSTED_AFTER_SECONDS : []) {
    await sleep(seconds * 1_000);
    if (await posted(url, readFileSync(secret, 'utf8'), JSON.stringify(end))) {
      break;
    }
  }
  rmSync(secret, { force: true });
}

/** Whether there is nothing more to be said: it was heard, or it never will be. */
async function posted(url, token, body) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(POST_MS),
    });
    await answer.arrayBuffer();
    return answer.status < 500 && ![408, 429].includes(answer.status);
  } catch {
    return false;
  }
}
