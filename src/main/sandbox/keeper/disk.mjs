// Writing so that a crash leaves the old file or the new one, never half of one.

import { closeSync, fsyncSync, futimesSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Writes aside, syncs, renames: it is there after a crash too. */
export function writeWhole(path, content, stamp) {
  writeAside(path, content, true, stamp);
  syncFolder(dirname(path));
}

/** Writes aside in the same folder and renames: whoever reads it reads a whole one. The stamp, in seconds, is the time that it is then of. */
export function writeAside(path, content, sync = false, stamp) {
  const aside = join(dirname(path), `.${randomBytes(6).toString('hex')}-${basename(path)}`.slice(0, 250));
  try {
    const fd = openSync(aside, 'wx', 0o600);
    try {
      writeAll(fd, Buffer.from(content));
      if (stamp !== undefined) {
        futimesSync(fd, stamp, stamp);
      }
      if (sync) {
        fsyncSync(fd);
      }
    } finally {
      closeSync(fd);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** One call may write less than it was given, on a disk that is almost full. */
export function writeAll(fd, bytes) {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written);
  }
}

function syncFolder(path) {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems can't sync a folder; the rename itself has happened.
  } finally {
    closeSync(fd);
  }
}
