// What a job prints, in a bounded place: its beginning, and its end as far as that fits.

import { closeSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAll } from './disk.mjs';

const PIECE_BYTES = 1024 * 1024;
// Beside the first piece, in which stands what a program says when it starts.
const LAST_KEPT = 2;

/** The pieces are files, each called after the offset of its first byte. */
export class Log {
  #folder;
  #pieceBytes;
  #fd = null;
  #start = 0;
  #size = 0;

  constructor(folder, pieceBytes = PIECE_BYTES) {
    this.#folder = folder;
    this.#pieceBytes = pieceBytes;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** What does not fit on the disk is lost, and whoever prints it goes on. */
  append(bytes) {
    try {
      for (let rest = bytes; rest.length > 0; ) {
        if (this.#fd === null || this.#size >= this.#pieceBytes) {
          this.#roll();
        }
        const some = rest.subarray(0, this.#pieceBytes - this.#size);
        writeAll(this.#fd, some);
        this.#size += some.length;
        rest = rest.subarray(some.length);
      }
    } catch {
      this.#size = this.#fd === null ? 0 : fstatSync(this.#fd).size;
    }
  }

  #roll() {
    const start = this.#start + this.#size;
    const fd = openSync(join(this.#folder, String(start)), 'a', 0o600);
    if (this.#fd !== null) {
      closeSync(this.#fd);
    }
    this.#fd = fd;
    this.#start = start;
    this.#size = 0;
    for (const old of pieces(this.#folder).slice(1, -LAST_KEPT)) {
      rmSync(old.path, { force: true });
    }
  }
}

/**
 * At most `max` bytes from the offset on, or the last ones where it is undefined: `{from, next, end, bytes}`. What is no more
 * there is passed over, so that `from` may lie behind the offset.
 */
export function readLog(folder, offset, max) {
  const all = pieces(folder);
  const end = all.length === 0 ? 0 : all.at(-1).start + all.at(-1).size;
  let at = Math.min(Math.max(offset ?? end - max, 0), end);
  let from = at;
  const read = [];
  let left = max;
  for (const piece of all) {
    if (left === 0 || piece.start + piece.size <= at) {
      continue;
    }
    if (piece.start > at) {
      if (read.length > 0) {
        // A gap: what comes after it is another answer.
        break;
      }
      from = piece.start;
      at = from;
    }
    const bytes = bytesOf(piece, at - piece.start, left);
    if (!bytes) {
      // It went since it was listed: a gap.
      continue;
    }
    read.push(bytes);
    at += bytes.length;
    left -= bytes.length;
  }
  return { from, next: at, end, bytes: Buffer.concat(read) };
}

function bytesOf({ path, size }, from, max) {
  let fd;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined;
  }
  const bytes = Buffer.alloc(Math.min(size - from, max));
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
}

function pieces(folder) {
  let names;
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d{1,15}$/.test(name))
    .map((name) => ({ start: Number(name), path: join(folder, name) }))
    .sort((a, b) => a.start - b.start)
    .map((piece) => ({ ...piece, size: sizeOf(piece.path) }));
}

function sizeOf(path) {
  try {
    const fd = openSync(path, 'r');
    try {
      return fstatSync(fd).size;
    } finally {
      closeSync(fd);
    }
  } catch {
    return 0;
  }
}
