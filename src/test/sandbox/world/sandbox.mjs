// A machine of its own for one test: a home, a work directory, an image, and attachments to the keeper in it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 30_000;

export const image = process.env.GORKIE ?? fail('GORKIE names no image: run install.mjs and set it to the path it prints');

/** The same image with another Pi in it. */
export function imageWith(piScript) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-image-')));
  for (const name of readdirSync(image).filter((file) => !['node_modules', 'bin'].includes(file))) {
    cpSync(join(image, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'bin'));
  cpSync(join(image, 'bin', 'keeper'), join(folder, 'bin', 'keeper'));
  symlinkSync(realpathSync(join(image, 'bin', 'node')), join(folder, 'bin', 'node'));
  const pi = join(folder, 'node_modules', '@earendil-works', 'pi-coding-agent');
  mkdirSync(pi, { recursive: true });
  writeFileSync(join(pi, 'package.json'), JSON.stringify({ version: '0.0.1', type: 'module', bin: { pi: 'pi.mjs' } }));
  cpSync(piScript, join(pi, 'pi.mjs'));
  return folder;
}

export class Sandbox {
  #attachments = new Set();

  constructor(from = image) {
    this.image = from;
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-home-')));
    this.work = join(this.home, 'work');
    this.state = join(this.home, '.gorkie');
    mkdirSync(this.work);
  }

  get keeper() {
    return join(this.image, 'bin', 'keeper');
  }

  get environment() {
    return { HOME: this.home, PATH: process.env.PATH, USER: 'daytona', TERM: 'dumb' };
  }

  attach({ fence = 1, offset = 0, preload } = {}) {
    const env = { ...this.environment, ...(preload && { NODE_OPTIONS: `--import=${preload}` }) };
    return this.#attached(spawn(this.keeper, ['attach', '--fence', String(fence), '--offset', String(offset)], { cwd: this.work, env }), offset);
  }

  /** The same on a disk of its own with this many megabytes, which nobody outside sees. */
  attachOnSmallDisk(megabytes) {
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$HOME" && mkdir "$HOME/work" && cd "$HOME/work" && exec "$0" attach --fence 1 --offset 0`;
    return this.#attached(spawn('unshare', ['-rm', 'sh', '-c', script, this.keeper], { env: this.environment }), 0);
  }

  #attached(child, offset) {
    const attachment = new Attachment(child, this, offset);
    this.#attachments.add(attachment);
    return attachment;
  }

  /** Runs a word of the keeper that prints one line of JSON. */
  run(...words) {
    return this.#printed(this.keeper, ...words);
  }

  /** The same where there is no room left. */
  runOnFullDisk(...words) {
    const script = 'mount -t tmpfs -o size=1m tmpfs "$HOME" && mkdir "$HOME/work" && cd "$HOME/work" && { cat /dev/zero >full 2>/dev/null; exec "$@"; }';
    return this.#printed('unshare', '-rm', 'sh', '-c', script, 'sh', this.keeper, ...words);
  }

  #printed(program, ...words) {
    const { stdout, stderr } = spawnSync(program, words, { cwd: this.work, env: this.environment, input: '', maxBuffer: 64 * 1024 * 1024 });
    if (!stdout.length) {
      throw new Error(stderr.toString());
    }
    return JSON.parse(stdout.toString());
  }

  status() {
    return JSON.parse(readFileSync(join(this.state, 'status'), 'utf8'));
  }

  /** The journal's bytes as they lie on the disk. */
  journal() {
    const folder = join(this.state, 'journal');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')).sort() : [];
    return Buffer.concat(names.map((name) => readFileSync(join(folder, name))));
  }

  records() {
    const bytes = this.journal();
    return parsed(bytes.subarray(0, bytes.lastIndexOf('\n') + 1));
  }

  /** Ends the keeper, Pi and whatever they left, and removes the files. */
  async remove() {
    for (const attachment of this.#attachments) {
      await attachment.close();
    }
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Kills all there is, and what one of them began before it was killed itself. */
  async kill() {
    let quiet = 0;
    await until(() => {
      const left = this.processes();
      for (const pid of left) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch (gone) {
          assert.equal(gone.code, 'ESRCH');
        }
      }
      // One that is just becoming another program shows no environment for a moment.
      quiet = left.length === 0 ? quiet + 1 : 0;
      return quiet === 2;
    }, 'the sandbox has no process left');
  }

  /** The processes whose home is this sandbox's. */
  processes() {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && alive(name))
      .filter((pid) => {
        try {
          return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0HOME=${this.home}\0`);
        } catch {
          return false;
        }
      })
      .map(Number);
  }
}

/** One attachment: the records and notes it has written so far, and a way to wait for those to come. */
export class Attachment {
  records = [];
  notes = [];
  bytes = [];
  #rest = '';
  #waiting = [];
  #cursor = 0;

  constructor(child, sandbox, offset) {
    this.child = child;
    this.sandbox = sandbox;
    this.offset = offset;
    this.closed = once(child, 'close');
    child.stdout.on('data', (chunk) => this.#take(chunk));
    child.stdin.on('error', () => {});
    child.stderr.pipe(process.stderr);
  }

  start(model, more = {}) {
    this.say({
      start: {
        session: 'C1-1700000000.000100',
        cwd: this.sandbox.work,
        model: { baseUrl: model?.baseUrl ?? 'http://127.0.0.1:9/v1', id: 'vendor/scripted:free' },
        key: 'sk-test-key',
        limitSeconds: 600,
        ...more,
      },
    });
    return this;
  }

  give(id, command) {
    this.say({ give: { id, command } });
    return this;
  }

  prompt(id, message, more = {}) {
    return this.give(id, { type: 'prompt', message, ...more });
  }

  say(line) {
    this.child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** The next record after the last one returned for which this holds. */
  async next(matches, what = matches.toString()) {
    let found = -1;
    await this.#when(() => (found = this.records.findIndex((record, at) => at >= this.#cursor && matches(record))) !== -1, what);
    this.#cursor = found + 1;
    return this.records[found];
  }

  type(type) {
    return this.next((record) => record.type === type, type);
  }

  async note(name) {
    await this.#when(() => this.notes.some((note) => note[name]), `the note ${name}`);
    return this.notes.find((note) => note[name])[name];
  }

  /** The journal's bytes this attachment has written. */
  get journal() {
    return Buffer.concat(this.bytes);
  }

  async has(bytes) {
    await this.#when(() => this.journal.length >= bytes, `${bytes} bytes`);
    return this.journal;
  }

  async close() {
    this.child.stdin.end();
    await this.closed;
  }

  #take(chunk) {
    this.#rest = this.#rest + chunk.toString('latin1');
    for (let at; (at = this.#rest.indexOf('\n')) !== -1; this.#rest = this.#rest.slice(at + 1)) {
      const line = Buffer.from(this.#rest.slice(0, at + 1), 'latin1');
      if (line[0] === 0x23) {
        this.notes.push(JSON.parse(line.subarray(1).toString('utf8')));
      } else {
        this.bytes.push(line);
        this.records.push(JSON.parse(line.toString('utf8')));
      }
    }
    this.#waiting = this.#waiting.filter((look) => !look());
  }

  #when(holds, what) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`waited in vain for ${what}; last records: ${JSON.stringify(this.records.slice(-6))}`)), WAIT_MS);
      const look = () => {
        if (!holds()) {
          return false;
        }
        clearTimeout(late);
        resolve();
        return true;
      };
      look() || this.#waiting.push(look);
    });
  }
}

/** Whether this machine lets its users mount a disk of their own. */
export function canMount() {
  return spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

export function parsed(bytes) {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export function alive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !'ZX'.includes(stat[stat.lastIndexOf(')') + 2]);
  } catch {
    return false;
  }
}

export async function until(holds, what = holds.toString()) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    if (await holds()) {
      return;
    }
    await sleep(10);
  }
  throw new Error(`waited in vain until ${what}`);
}

function fail(reason) {
  throw new Error(reason);
}
