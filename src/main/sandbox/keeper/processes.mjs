// What the kernel knows of processes: who lives, since when, and who carries our mark in its environment.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 1_000;
const LOOK_AGAIN_MS = 25;
const KILL_ROUNDS_MAX = 40;
// One that is just becoming another program shows no environment for a moment.
const BLIND_MS = 5;

const linux = existsSync('/proc/self/stat');

/** A living process's start, which no later process with the same number shares; null for a dead one or a zombie. */
export function startOf(pid) {
  try {
    if (!linux) {
      const [state, ...start] = ps('-o', 'stat=,lstart=', '-p', String(pid)).trim().split(/\s+/);
      return state && !state.startsWith('Z') ? start.join(' ') : null;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name and may hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZXx'.includes(fields[0]) ? null : `${kernelBoot()}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** Ends every process that carries the mark, except one; says how many there were. */
export async function endMarked(mark, spared) {
  const ended = new Set();
  const signalAll = (signal) => {
    const found = marked(mark).filter((pid) => pid !== spared && pid !== process.pid);
    for (const pid of found) {
      ended.add(pid);
      try {
        process.kill(pid, signal);
      } catch {
        // It ended by itself.
      }
    }
    return found.length;
  };
  let left = signalAll('SIGTERM');
  if (left === 0) {
    await sleep(BLIND_MS);
    left = signalAll('SIGTERM');
  }
  for (let waited = 0; left > 0 && waited < GRACE_MS; waited += LOOK_AGAIN_MS) {
    await sleep(LOOK_AGAIN_MS);
    left = marked(mark).filter((pid) => pid !== spared && pid !== process.pid).length;
  }
  // Again and again, because a process may have forked between the look and the signal.
  for (let round = 0; left > 0 && round < KILL_ROUNDS_MAX; round++) {
    left = signalAll('SIGKILL');
    await sleep(LOOK_AGAIN_MS);
  }
  return ended.size;
}

function marked(mark) {
  if (!linux) {
    return ps('-axEww', '-o', 'pid=,command=')
      .split('\n')
      .filter((line) => line.includes(mark))
      .map((line) => parseInt(line, 10));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => carries(pid, mark));
}

function carries(pid, mark) {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${mark}\0`) && startOf(pid) !== null;
  } catch {
    return false;
  }
}

function kernelBoot() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function ps(...args) {
  return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
