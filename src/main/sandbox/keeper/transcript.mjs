// What is new of Pi's session file, in pieces, for the copy that outlives this machine.

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ID, places } from './places.mjs';

const LF = 0x0a;
const BLOCK_BYTES = 1024 * 1024;
// Compressed it is mostly below the quarter of a megabyte that a piece may have.
const PIECE_BYTES = 2 * 1024 * 1024;
// Pi's own longest line holds a photo; what is longer nobody of ours has written.
const LINE_BYTES_MAX = 32 * 1024 * 1024;
// To so many characters is each string of a line cut that is too long by itself; the first limit that does counts.
const STRING_CHARS = [65_536, 16_384, 4_096, 1_024, 256];

/**
 * The whole lines behind the first `offset` bytes, compressed to at most `max`; from the beginning when those bytes are
 * not those of which `hash` is the SHA-256, since then Pi has written the file anew.
 */
export function transcript(session, offset, hash, max) {
  const path = ID.test(session) ? fileOf(session) : undefined;
  if (!path) {
    return { missing: true };
  }
  const fd = opened(path);
  try {
    const known = offset > 0 && fstatSync(fd).size >= offset ? hashed(fd, 0, offset) : null;
    const fits = known !== null && known.copy().digest('hex') === hash;
    const first = fits ? offset : 0;
    const { lines, more } = linesFrom(fd, first);
    const { content, count } = compressed(lines, max);
    const bytes = lines.slice(0, count).reduce((sum, line) => sum + line.bytes, 0);
    return {
      first,
      bytes,
      hash: hashed(fd, first, bytes, fits ? known : undefined).digest('hex'),
      head: first === 0 && count > 0 && headIn(lines[0].text) !== null,
      more: more || count < lines.length,
      gzip: content.toString('base64'),
    };
  } finally {
    closeSync(fd);
  }
}

/** The file Pi would resume this session from, else the newest of that name, which lost its head. */
function fileOf(session) {
  const found = names(session).map((name) => {
    const path = join(places.sessions, name);
    return { path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0, whole: headOf(path)?.id === session };
  });
  found.sort((a, b) => b.whole - a.whole || b.at - a.at);
  return found[0]?.path;
}

function names(session) {
  try {
    return readdirSync(places.sessions).filter((name) => name.endsWith(`_${session}.jsonl`));
  } catch {
    return [];
  }
}

function headOf(path) {
  let fd;
  try {
    fd = opened(path);
  } catch {
    return null;
  }
  try {
    return headIn(blockAt(fd, 0, 4096));
  } finally {
    closeSync(fd);
  }
}

/** The session's header, which is the first line of a file Pi can read. */
function headIn(text) {
  const end = text.indexOf(LF);
  const head = parsed(end === -1 ? text : text.subarray(0, end));
  return head?.type === 'session' ? head : null;
}

/** Without waiting: a named pipe of that name would keep us for ever. */
function opened(path) {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new Error('the session is no file');
  }
  return fd;
}

/** Whole lines only, about as many as make a piece, images left out. A line that is too long comes as nothing. */
function linesFrom(fd, first) {
  const lines = [];
  let text = 0;
  let rest = Buffer.alloc(0);
  let passedOver = 0;
  for (let at = first; ; ) {
    const block = blockAt(fd, at, BLOCK_BYTES);
    if (block.length === 0) {
      return { lines, more: false };
    }
    at += block.length;
    rest = Buffer.concat([rest, block]);
    for (let end; (end = rest.indexOf(LF)) !== -1; rest = rest.subarray(end + 1)) {
      const line = passedOver > 0 ? Buffer.alloc(0) : withoutImages(rest.subarray(0, end + 1));
      lines.push({ text: line, bytes: passedOver + end + 1 });
      passedOver = 0;
      text += line.length;
      if (text >= PIECE_BYTES) {
        return { lines, more: true };
      }
    }
    if (passedOver > 0 || rest.length > LINE_BYTES_MAX) {
      passedOver += rest.length;
      rest = Buffer.alloc(0);
    }
  }
}

function blockAt(fd, at, bytes) {
  const block = Buffer.alloc(bytes);
  return block.subarray(0, readSync(fd, block, 0, bytes, at));
}

function hashed(fd, from, bytes, hash = createHash('sha256')) {
  for (let at = from; at < from + bytes; ) {
    const block = blockAt(fd, at, Math.min(BLOCK_BYTES, from + bytes - at));
    if (block.length === 0) {
      break;
    }
    hash.update(block);
    at += block.length;
  }
  return hash;
}

/** As many of the lines as fit, and the first in any case, if need be shortened. */
function compressed(lines, max) {
  for (let count = lines.length; count > 1; count >>= 1) {
    const content = gzipSync(Buffer.concat(lines.slice(0, count).map(({ text }) => text)));
    if (content.length <= max) {
      return { content, count };
    }
  }
  return { content: compressedLine(lines[0]?.text ?? Buffer.alloc(0), max), count: Math.min(lines.length, 1) };
}

function compressedLine(line, max) {
  const whole = gzipSync(line);
  if (whole.length <= max) {
    return whole;
  }
  const entry = parsed(line);
  for (const chars of entry ? STRING_CHARS : []) {
    const content = gzipSync(lineOf(entry, (part) => (typeof part === 'string' ? cut(part, chars) : part)));
    if (content.length <= max) {
      return content;
    }
  }
  // Its place in the conversation is kept, since what follows hangs on it.
  return gzipSync(entry ? lineOf(placeholder(entry)) : '');
}

function placeholder({ id, parentId, timestamp }) {
  const words = Object.entries({ id, parentId, timestamp }).filter(([, word]) => word === null || (typeof word === 'string' && word.length <= 128));
  return { type: 'custom', customType: 'gorkie_left_out', data: {}, ...Object.fromEntries(words) };
}

function cut(text, chars) {
  return text.length > chars ? `${text.slice(0, chars)}\n[${text.length - chars} more characters are not in this copy of the conversation]` : text;
}

function withoutImages(line) {
  const entry = line.includes('"image"') ? parsed(line) : null;
  return entry ? lineOf(entry, (part) => (part?.type === 'image' && typeof part.data === 'string' ? noteOn(part) : part)) : line;
}

function noteOn({ mimeType, data }) {
  return { type: 'text', text: `[An image was here: ${String(mimeType).slice(0, 100)}, ${Buffer.byteLength(data, 'base64')} bytes. This copy of the conversation is without it.]` };
}

function lineOf(entry, change = (part) => part) {
  return Buffer.from(`${JSON.stringify(entry, (_, part) => change(part))}\n`);
}

function parsed(line) {
  try {
    const entry = JSON.parse(line.toString('utf8'));
    return entry && typeof entry === 'object' && !Array.isArray(entry) ? entry : null;
  } catch {
    return null;
  }
}
