// Files on their way out: opened once, checked by what was opened, copied to where nothing changes them.

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { writeAll } from './disk.mjs';
import { lastStatus, places } from './places.mjs';

const DISPLAYED_MAX = 20;
const LOOKED_AT_MAX = 1_000;
const COPY_KEPT_MS = 60 * 60_000;
const PIECE_BYTES = 1024 * 1024;

/** Copies one file below the work directory out, or says why not. */
export function show(path, bytesMax) {
  const work = workDirectory();
  let fd;
  try {
    // Without waiting: a named pipe would keep us for ever.
    fd = openSync(resolve(work, path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return { error: 'missing' };
  }
  try {
    const opened = fstatSync(fd);
    const real = realOf(resolve(work, path), opened);
    if (real === null || !real.startsWith(work + sep)) {
      return { error: 'outside' };
    }
    if (!opened.isFile()) {
      return { error: 'not_a_file' };
    }
    if (opened.size > bytesMax) {
      return { error: 'too_large' };
    }
    return { path: relative(work, real), name: basename(real), ...copied(fd, bytesMax) };
  } catch (error) {
    return { error: error.code === 'ENOSPC' ? 'disk_full' : 'missing' };
  } finally {
    closeSync(fd);
  }
}

/** The newest files below `output/display`, newest last. */
export function display(bytesMax) {
  const work = workDirectory();
  const all = below(join(work, 'output', 'display')).sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
  const newest = all.slice(-DISPLAYED_MAX);
  const files = newest.map(({ path }) => {
    const shown = show(path, bytesMax);
    return shown.error ? { path: relative(work, path), ...shown } : shown;
  });
  return { files, more: all.length - newest.length };
}

/** How many files there are to look at below `output/display`. */
export function displayed(work) {
  return below(join(work, 'output', 'display')).length;
}

function workDirectory() {
  return realpathSync(lastStatus().cwd ?? process.cwd());
}

/** Where the opened file truly lies; null when the path has come to mean another one since. */
function realOf(path, opened) {
  const real = realpathSync(path);
  const now = statSync(real);
  return now.dev === opened.dev && now.ino === opened.ino ? real : null;
}

function copied(fd, bytesMax) {
  mkdirSync(places.out, { recursive: true, mode: 0o700 });
  forgetOldCopies();
  const aside = join(places.out, `.${randomBytes(8).toString('hex')}`);
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  let size = 0;
  const copy = openSync(aside, 'wx', 0o600);
  try {
    for (let bytes; (bytes = readSync(fd, piece)) > 0; size += bytes) {
      if (size + bytes > bytesMax) {
        // It grows while we read.
        rmSync(aside, { force: true });
        return { error: 'too_large' };
      }
      hash.update(piece.subarray(0, bytes));
      writeAll(copy, piece.subarray(0, bytes));
    }
    const sha256 = hash.digest('hex');
    const out = join(places.out, sha256);
    renameSync(aside, out);
    return { size, sha256, out };
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  } finally {
    closeSync(copy);
  }
}

function forgetOldCopies() {
  for (const name of readdirSync(places.out)) {
    const path = join(places.out, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > COPY_KEPT_MS) {
      rmSync(path, { force: true });
    }
  }
}

function below(folder) {
  let names;
  try {
    names = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return names
    .slice(0, LOOKED_AT_MAX)
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
}
