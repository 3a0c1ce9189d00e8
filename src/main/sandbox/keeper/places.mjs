// Where the keeper's things are, and the words every part of it shares.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const PROTOCOL = 1;
export const ID = /^[A-Za-z0-9._:-]{1,128}$/;
export const FENCE = /^\d{1,15}$/;
export const JOB = /^job-[a-z0-9]{4,32}$/;
export const OPERATION = /^op-[a-z0-9]{4,32}$/;
export const COMMAND_BYTES_MAX = 2 * 1024 * 1024;

const state = join(process.env.HOME ?? homedir(), '.gorkie');

export const image = process.env.GORKIE;

export const places = {
  state,
  journal: join(state, 'journal'),
  inbox: join(state, 'inbox'),
  given: join(state, 'given'),
  fence: join(state, 'fence'),
  lock: join(state, 'lock'),
  status: join(state, 'status'),
  errors: join(state, 'keeper.err'),
  agent: join(state, 'agent'),
  sessions: join(state, 'sessions'),
  out: join(state, 'out'),
  jobs: join(state, 'jobs'),
  performed: join(state, 'performed'),
};

export function makePlaces() {
  for (const folder of ['journal', 'inbox', 'lock', 'agent', 'sessions', 'out']) {
    mkdirSync(places[folder], { recursive: true, mode: 0o700 });
  }
}

export function imageHash() {
  return readOr(join(image, 'image'), '').trim();
}

/** The installed Pi: its version and the file Node runs. */
export function installedPi() {
  const folder = join(image, 'node_modules', '@earendil-works', 'pi-coding-agent');
  const { version, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { version, entry: join(folder, bin.pi) };
}

/** What the keeper last said about itself; an empty object where none ever ran. */
export function lastStatus() {
  try {
    return JSON.parse(readFileSync(places.status, 'utf8'));
  } catch {
    return {};
  }
}

export function highestFence() {
  return Number(readOr(places.fence, '0')) || 0;
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

/** Tells one model key from another without telling the key. */
export function keyed(boot, key) {
  return createHash('sha256').update(`${boot}\0${key ?? ''}`).digest('hex').slice(0, 16);
}
