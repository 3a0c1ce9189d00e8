// The work directory, for programs that know it by relative paths: nothing outside of it is read or written.

import { spawn } from 'node:child_process';
import { closeSync, constants, copyFileSync, existsSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { writeAside } from './disk.mjs';

const LINES_MAX = 2_000;
const LINE_CHARS_MAX = 2_000;
const TEXT_CHARS_MAX = 256 * 1024;
const PIECE_BYTES = 256 * 1024;
const INLINE_BYTES_MAX = 500 * 1024;
const FOUND_MAX = 1_000;
const LOOKED_AT_MAX = 50_000;
const LOOKED_MS = 15_000;
const FOUND_CHARS_MAX = 256 * 1024;
// Some times what it takes to look at as many files as are looked at.
const GLOB_MB = 128;
const COMPLAINT_CHARS = 500;
const LF = 0x0a;
// How both programs say that they can't read the pattern, and a shell's word for that there is none.
const WRONG_USAGE = 2;
const NO_PROGRAM = 127;

/** An error with a word that programs go by. */
export class Refused extends Error {
  constructor(word, message) {
    super(message);
    this.word = word;
  }
}

/** The path as it really is, symbolic links and all. */
export function confined(path) {
  if (path.includes('\0')) {
    throw new Refused('outside', 'a path holds no NUL');
  }
  const work = realpathSync(process.cwd());
  const real = realOf(resolve(work, path));
  if (real !== work && !real.startsWith(work + sep)) {
    throw new Refused('outside', 'the path leads out of the work directory');
  }
  return real;
}

/** Of what is not there yet the folder counts in which it would be. */
function realOf(path) {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) {
      throw new Refused('missing', 'there is no such path');
    }
    return join(realOf(parent), path.slice(parent.length).replace(/^\/+/, ''));
  }
}

/** A regular file, opened once and checked by what was opened. */
export function opened(path) {
  const real = confined(path);
  let fd;
  try {
    // Without waiting: a named pipe would keep us for ever.
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    throw new Refused('missing', 'there is no such file');
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      throw new Refused('not_a_file', 'that is no regular file');
    }
    const now = statSync(confined(path));
    if (now.dev !== stat.dev || now.ino !== stat.ino) {
      throw new Refused('outside', 'the path has come to mean another file');
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Lines from the one of this number on, the first being 1. The file is passed through and never held. */
export function readText({ path, offset = 1, limit = LINES_MAX }) {
  const fd = opened(path);
  try {
    const lines = [];
    let chars = 0;
    let cut = false;
    let number = 0;
    let isMore = false;
    for (const line of linesOf(fd)) {
      number += 1;
      if (number < offset) {
        continue;
      }
      if (lines.length >= Math.min(limit, LINES_MAX) || chars >= TEXT_CHARS_MAX) {
        isMore = true;
        break;
      }
      if (line.text.includes('\0')) {
        throw new Refused('binary', 'that is no text; read_binary reads it');
      }
      const isLong = line.text.length > LINE_CHARS_MAX;
      cut ||= isLong;
      lines.push((isLong ? `${line.text.slice(0, LINE_CHARS_MAX)}…` : line.text) + line.end);
      chars += lines.at(-1).length;
    }
    return {
      path,
      content: lines.join(''),
      lines: lines.length,
      truncated: isMore || cut,
      ...(isMore && { next_offset: offset + lines.length }),
    };
  } finally {
    closeSync(fd);
  }
}

function* linesOf(fd) {
  const piece = Buffer.alloc(PIECE_BYTES);
  // Of a line without end no more is kept than is told of it.
  let begun = Buffer.alloc(0);
  let isBegun = false;
  for (let bytes; (bytes = readSync(fd, piece)) > 0; ) {
    let from = 0;
    for (let end; (end = piece.indexOf(LF, from)) >= 0 && end < bytes; from = end + 1) {
      yield { text: joined(begun, piece.subarray(from, end)).toString('utf8'), end: '\n' };
      begun = Buffer.alloc(0);
      isBegun = false;
    }
    if (from < bytes) {
      begun = Buffer.from(joined(begun, piece.subarray(from, bytes)));
      isBegun = true;
    }
  }
  if (isBegun) {
    yield { text: begun.toString('utf8'), end: '' };
  }
}

function joined(begun, more) {
  return Buffer.concat([begun, more]).subarray(0, PIECE_BYTES);
}

/** Undefined where it is longer than goes into an answer. */
export function readBinary({ path }) {
  const fd = opened(path);
  try {
    const { size } = fstatSync(fd);
    if (size > INLINE_BYTES_MAX) {
      return undefined;
    }
    const bytes = Buffer.alloc(size);
    const content = bytes.subarray(0, readSync(fd, bytes, 0, size, 0));
    return { path, size: content.length, base64: content.toString('base64') };
  } finally {
    closeSync(fd);
  }
}

export function write({ path, content, base64 }) {
  const bytes = base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64');
  return written(path, (file) => writeAside(file, bytes));
}

/** The same for what lies elsewhere on this machine; whoever reads it meanwhile reads the old one or the new one. */
export function bringIn(source, path) {
  return written(path, (file) => {
    const aside = join(dirname(file), `.${process.pid}-${process.hrtime.bigint()}`);
    try {
      copyFileSync(source, aside, constants.COPYFILE_FICLONE);
      renameSync(aside, file);
    } finally {
      rmSync(aside, { force: true });
    }
  });
}

function written(path, write) {
  const file = confined(path);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Refused('not_a_file', 'that is a folder');
    }
    mkdirSync(dirname(file), { recursive: true });
    write(file);
    return { path, size: statSync(file).size };
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(['ENOSPC', 'EDQUOT'].includes(error.code) ? 'disk_full' : 'not_a_file', `it can't be written: ${error.code}`);
  }
}

/** Where something is looked for, which must be there. */
function place(path) {
  const real = confined(path);
  if (!existsSync(real)) {
    throw new Refused('missing', 'there is no such path');
  }
  return real;
}

/** Newest first. There are patterns with which looking would take for ever, or all memory: it is done beside, where it can be ended. */
export async function glob(wish, mostMs = LOOKED_MS) {
  place(wish.path ?? '.');
  const beside = new Worker(new URL('glob.mjs', import.meta.url), { workerData: wish, resourceLimits: { maxOldGenerationSizeMb: GLOB_MB } });
  const late = setTimeout(() => beside.terminate(), mostMs);
  try {
    return await new Promise((resolve, reject) => {
      const tooMuch = () => reject(new Refused('bad_pattern', 'the pattern stands for too much to look for'));
      beside.on('message', resolve).on('error', tooMuch).on('exit', tooMuch);
    });
  } finally {
    clearTimeout(late);
  }
}

export function globbed({ pattern, path = '.', limit = FOUND_MAX }) {
  const top = relative(realpathSync(process.cwd()), place(path));
  const { files, isAll } = below(path);
  const found = files.filter((file) => matchesGlob(relative(top, file.path), pattern)).reverse();
  const paths = [];
  let chars = 0;
  for (const { path: one } of found.slice(0, Math.min(limit, FOUND_MAX))) {
    chars += one.length;
    if (chars > FOUND_CHARS_MAX) {
      break;
    }
    paths.push(one);
  }
  return { paths, truncated: !isAll || paths.length < found.length };
}

/** The files below a folder, oldest first, by their paths in the work directory. What is hidden is left out, and links are not followed. */
export function below(path) {
  const work = realpathSync(process.cwd());
  const files = [];
  const folders = [confined(path)];
  let looked = 0;
  while (folders.length > 0 && looked < LOOKED_AT_MAX) {
    const folder = folders.shift();
    for (const entry of entries(folder)) {
      looked += 1;
      const place = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
        folders.push(place);
      } else if (entry.isFile()) {
        const { mtimeMs: at = 0, ctimeMs: changed = 0 } = statSync(place, { throwIfNoEntry: false }) ?? {};
        files.push({ path: relative(work, place), at, changed });
      }
    }
  }
  return { files: files.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1)), isAll: folders.length === 0 };
}

function entries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The pattern is an argument of its own, and never the beginning of an option. */
export async function grep(wish, mostMs = LOOKED_MS) {
  const top = place(wish.path ?? '.');
  if (wish.pattern.includes('\0') || wish.glob?.includes('\0')) {
    throw new Refused('bad_pattern', 'a pattern holds no NUL');
  }
  const found = await searched('rg', ripgrep(wish, top), mostMs);
  // An image of somebody's own may be without it.
  const told = found.code === NO_PROGRAM ? await searched('grep', gnuGrep(wish, top), mostMs) : found;
  if (told.code === NO_PROGRAM) {
    throw new Refused('not_here', 'there is no program on this machine that looks for a pattern');
  }
  if (told.code === WRONG_USAGE && told.out === '') {
    throw new Refused('bad_pattern', told.complaint);
  }
  const work = realpathSync(process.cwd());
  const lines = told.out.split('\n').slice(0, -1);
  const most = Math.min(wish.limit ?? FOUND_MAX, FOUND_MAX);
  const matches = lines.slice(0, most).map((line) => match(line, work)).filter(Boolean);
  return { matches, truncated: told.cut || lines.length > most };
}

function ripgrep({ pattern, glob: only, ignore_case: folds = false }, top) {
  const words = ['--no-config', '--line-number', '--with-filename', '--no-heading', '--color=never', '--max-columns=500', '--null'];
  return [...words, ...(folds ? ['--ignore-case'] : []), ...(only ? ['--glob', only] : []), '--regexp', pattern, '--', top];
}

function gnuGrep({ pattern, glob: only, ignore_case: folds = false }, top) {
  const words = ['-r', '-n', '-H', '-I', '-P', '--color=never', '--null', '--exclude=.*', '--exclude-dir=.?*'];
  return [...words, ...(folds ? ['-i'] : []), ...(only ? [`--include=${only}`] : []), '-e', pattern, '--', top];
}

async function searched(program, words, mostMs) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let complaint = '';
  let cut = false;
  const end = () => {
    cut = true;
    child.kill('SIGKILL');
  };
  const late = setTimeout(end, mostMs);
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
    if (out.length > FOUND_CHARS_MAX) {
      end();
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint = (complaint + text).slice(0, COMPLAINT_CHARS)));
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(NO_PROGRAM));
    child.on('close', (status) => resolve(status));
  });
  clearTimeout(late);
  return { code, out, complaint, cut };
}

function match(line, work) {
  const at = line.indexOf('\0');
  const [, number, text] = /^(\d+):([^]*)$/.exec(line.slice(at + 1)) ?? [];
  return at < 0 || number === undefined ? undefined : { path: relative(work, line.slice(0, at)), line: Number(number), text: text.slice(0, LINE_CHARS_MAX) };
}
