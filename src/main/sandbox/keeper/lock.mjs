// One keeper, ever. The lock is a folder of numbered files and the highest number holds it. Whoever finds the
// holder dead makes the next number, which only one can; since the highest is never removed, no two succeed.

import { linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from './processes.mjs';

/** The living keeper's process id, or null. */
export function holder(folder) {
  const highest = numbers(folder).at(-1);
  return highest === undefined ? null : livingHolder(folder, highest);
}

/** Takes the lock unless a living process has it; says whether it did. */
export function take(folder) {
  const mine = join(folder, `.${process.pid}`);
  writeFileSync(mine, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), { mode: 0o600 });
  try {
    const highest = numbers(folder).at(-1) ?? 0;
    if (highest > 0 && livingHolder(folder, highest) !== null) {
      return false;
    }
    const number = highest + 1;
    linkSync(mine, join(folder, String(number)));
    if (numbers(folder).at(-1) !== number) {
      // We slept since we looked: others took this number, died, and were followed and tidied away.
      remove(folder, number);
      return false;
    }
    numbers(folder).filter((old) => old < number).forEach((old) => remove(folder, old));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function livingHolder(folder, number) {
  try {
    const { pid, start } = JSON.parse(readFileSync(join(folder, String(number)), 'utf8'));
    return start !== null && startOf(pid) === start ? pid : null;
  } catch (error) {
    // Removed between the listing and the reading: then a higher number exists, and its maker lives.
    return error.code === 'ENOENT' ? holder(folder) : null;
  }
}

function remove(folder, number) {
  rmSync(join(folder, String(number)), { force: true });
}

function numbers(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}
