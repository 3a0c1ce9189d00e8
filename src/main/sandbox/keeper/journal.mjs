// The journal: an append-only file in segments, in which a record has one byte offset for ever.

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAll } from './disk.mjs';

const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENTS_KEPT = 4;
const BALLAST_BYTES = 256 * 1024;
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
const RETRY_MS = 1_000;
const READ_BYTES = 256 * 1024;
// A record of the keeper's own takes some hundred bytes.
const SHORT_BYTES = 4 * 1024;
const LF = 0x0a;

export class Journal {
  #folder;
  #segmentBytes;
  #fd;
  #start;
  #size;
  #waiting = [];
  #waitingBytes = 0;
  #lost = false;
  #retry = null;

  constructor(folder, segmentBytes = SEGMENT_BYTES) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    const last = segments(folder).at(-1) ?? { start: 0, path: join(folder, name(0)) };
    this.#fd = openSync(last.path, 'a+', 0o600);
    this.#start = last.start;
    // A crash may have torn the last record. Nobody was shown it, so its place is free.
    this.#size = wholeBytes(this.#fd);
    ftruncateSync(this.#fd, this.#size);
    this.#fillBallast();
  }

  append(record) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    if (this.#waitingBytes + line.length > WAITING_BYTES_MAX) {
      this.#lost = true;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (!this.#retry) {
      this.#drain();
    }
  }

  /** Throws unless every record so far is on the disk. */
  sync() {
    if (this.#waiting.length > 0) {
      throw Object.assign(new Error('the journal is waiting for room on the disk'), { code: 'ENOSPC' });
    }
    fdatasyncSync(this.#fd);
  }

  /** The record that was written last; undefined when that is a long one, or there is none. */
  last() {
    const tail = Buffer.alloc(Math.min(this.#size, SHORT_BYTES));
    readSync(this.#fd, tail, 0, tail.length, this.#size - tail.length);
    const from = tail.lastIndexOf(LF, -2) + 1;
    return tail.length > 0 && (from > 0 || tail.length === this.#size) ? JSON.parse(tail.toString('utf8', from)) : undefined;
  }

  get end() {
    return this.#start + this.#size;
  }

  #drain() {
    try {
      while (this.#waiting.length > 0) {
        this.#write(this.#waiting[0]);
        this.#waitingBytes -= this.#waiting.shift().length;
      }
    } catch {
      this.#standStill();
      return;
    }
    if (this.#retry) {
      clearInterval(this.#retry);
      this.#retry = null;
      this.#fillBallast();
    }
    if (this.#lost) {
      this.#lost = false;
      this.append({ type: 'keeper_trouble', reason: 'records_lost' });
    }
  }

  /** The disk is full: the ballast's room is for saying so; the rest waits until there is more. */
  #standStill() {
    if (this.#retry) {
      return;
    }
    rmSync(join(this.#folder, BALLAST), { force: true });
    this.#retry = setInterval(() => this.#drain(), RETRY_MS);
    try {
      this.#write(Buffer.from('{"type":"keeper_trouble","reason":"disk_full"}\n'));
    } catch {
      // Then the record comes too late, but the heartbeat's age and the missing records tell.
    }
  }

  #write(line) {
    if (this.#size >= this.#segmentBytes) {
      this.#roll();
    }
    try {
      writeAll(this.#fd, line);
    } catch (error) {
      cutTo(this.#fd, this.#size);
      throw error;
    }
    this.#size += line.length;
  }

  #roll() {
    const fd = openSync(join(this.#folder, name(this.end)), 'a+', 0o600);
    fdatasyncSync(this.#fd);
    closeSync(this.#fd);
    this.#start = this.end;
    this.#fd = fd;
    this.#size = 0;
    for (const old of segments(this.#folder).slice(0, -SEGMENTS_KEPT)) {
      rmSync(old.path, { force: true });
    }
  }

  #fillBallast() {
    try {
      writeFileSync(join(this.#folder, BALLAST), Buffer.alloc(BALLAST_BYTES), { mode: 0o600 });
    } catch {
      rmSync(join(this.#folder, BALLAST), { force: true });
    }
  }
}

/** The offsets of the journal's first byte and of its next. */
export function extent(folder) {
  const all = segments(folder);
  if (all.length === 0) {
    return { begin: 0, end: 0 };
  }
  const last = all.at(-1);
  const fd = openSync(last.path, 'r');
  try {
    return { begin: all[0].start, end: last.start + wholeBytes(fd) };
  } finally {
    closeSync(fd);
  }
}

/** Reads from any byte on, always up to the end of a whole record. */
export class JournalReader {
  #folder;
  #fd = null;
  #start = 0;
  #buffer = Buffer.alloc(READ_BYTES);

  constructor(folder, offset) {
    this.#folder = folder;
    const { begin, end } = extent(folder);
    this.offset = Math.min(Math.max(offset, begin), end);
  }

  /** The next bytes, or null when there are none yet. They are valid until the next call. */
  next() {
    if (this.#fd === null && !this.#open()) {
      return null;
    }
    const bytes = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, this.offset - this.#start);
    if (bytes === 0) {
      return this.#open() ? this.next() : null;
    }
    const whole = this.#buffer.lastIndexOf(LF, bytes - 1) + 1;
    if (whole > 0) {
      this.offset += whole;
      return this.#buffer.subarray(0, whole);
    }
    if (bytes === this.#buffer.length) {
      this.#buffer = Buffer.alloc(this.#buffer.length * 2);
      return this.next();
    }
    return null;
  }

  close() {
    if (this.#fd !== null) {
      closeSync(this.#fd);
      this.#fd = null;
    }
  }

  /** Opens the segment that holds the offset; false when that is the one already open, or none. */
  #open() {
    const all = segments(this.#folder);
    const segment = all.findLast(({ start }) => start <= this.offset);
    if (!segment && all.length > 0) {
      throw new Error('the journal went on without this reader');
    }
    if (!segment || (this.#fd !== null && segment.start === this.#start)) {
      return false;
    }
    this.close();
    this.#fd = openSync(segment.path, 'r');
    this.#start = segment.start;
    return true;
  }
}

const BALLAST = '.ballast';

function segments(folder) {
  return readdirSync(folder)
    .filter((file) => /^\d{16}$/.test(file))
    .sort()
    .map((file) => ({ start: Number(file), path: join(folder, file) }));
}

function name(offset) {
  return String(offset).padStart(16, '0');
}

/** A file's length up to and with its last LF. */
function wholeBytes(fd) {
  const window = Buffer.alloc(64 * 1024);
  let end = fstatSync(fd).size;
  while (end > 0) {
    const from = Math.max(0, end - window.length);
    const bytes = readSync(fd, window, 0, end - from, from);
    const at = window.subarray(0, bytes).lastIndexOf(LF);
    if (at !== -1) {
      return from + at + 1;
    }
    end = from;
  }
  return 0;
}

function cutTo(fd, size) {
  try {
    ftruncateSync(fd, size);
  } catch {
    // Then the next start cuts it.
  }
}
