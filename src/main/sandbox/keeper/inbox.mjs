// The folder through which commands come: one file each, whole or not there at all.

import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './disk.mjs';
import { COMMAND_BYTES_MAX, FENCE, ID } from './places.mjs';

const LOOK_MS = 1_000;

/** Puts a command into the folder. */
export function give(folder, fence, id, command) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, `${fence}-${id}.json`), JSON.stringify(command), (performance.timeOrigin + performance.now()) / 1_000);
}

/** Says why this can be no command, or null when it can: a bare `null` on its input ends Pi. */
export function wrongWith(id, command) {
  if (typeof id !== 'string' || !ID.test(id)) {
    return 'the id is missing or has other characters than letters, digits and ._:-';
  }
  if (command === null || typeof command !== 'object' || Array.isArray(command) || typeof command.type !== 'string') {
    return 'the command is no object with a type';
  }
  return null;
}

/** Calls `look` whenever something may have come. A watch can miss things, so it also looks by the clock. */
export function watchInbox(folder, look) {
  setInterval(look, LOOK_MS);
  try {
    watch(folder, look).on('error', () => {});
  } catch {
    // The clock remains.
  }
}

/** The files that are there, in the order in which they came: `{file, id, fence}`, and `command` where it is one. */
export function found(folder, known) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !known.has(name))
    .map((name) => ({ name, file: join(folder, name), ...timesOf(join(folder, name)) }))
    .filter(({ came }) => came !== undefined)
    .sort((a, b) => earlier(a.came, b.came) || earlier(a.written, b.written) || earlier(a.name, b.name))
    .map(({ name, file }) => ({ name, file, ...opened(name, file) }));
}

export function remove(entry) {
  rmSync(entry.file, { force: true, recursive: true });
}

function opened(name, file) {
  const [, fence, id] = /^([^-]*)-(.*)\.json$/.exec(name) ?? [];
  if (!FENCE.test(fence) || !ID.test(id)) {
    return { id: name.slice(0, 128), fence: 0 };
  }
  return { id, fence: Number(fence), command: commandIn(file, id) };
}

function commandIn(file, id) {
  try {
    if (statSync(file).size > COMMAND_BYTES_MAX) {
      return undefined;
    }
    const command = JSON.parse(readFileSync(file, 'utf8'));
    return wrongWith(id, command) ? undefined : command;
  } catch {
    return undefined;
  }
}

/**
 * The change time first, because a file may have been written long before it was moved here. The clock behind it ticks some hundred
 * times a second; within a tick it is the finer one that counts, which its giver has set.
 */
function timesOf(file) {
  try {
    const { ctimeNs: came, mtimeNs: written } = statSync(file, { bigint: true });
    return { came, written };
  } catch {
    return {};
  }
}

function earlier(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
