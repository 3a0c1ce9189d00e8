// From the sources to an image: at Daytona, and on this machine.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { image } from './world/sandbox.mjs';

const source = join(import.meta.dirname, '..', '..', 'main', 'sandbox');
let folder;
let api;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-image-')));
  api = new SnapshotApi();
  await api.start();
});

afterEach(() => {
  api.stop();
  rmSync(folder, { recursive: true });
});

test('the lock file names no registry and fixes every package', () => {
  const { packages } = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'));

  const installed = Object.entries(packages).filter(([path]) => path);
  assert.deepEqual(installed.filter(([, entry]) => entry.resolved || !entry.integrity), []);
  assert.equal(packages['node_modules/@earendil-works/pi-coding-agent'].version, '0.87.1');
});

test('whatever is installed runs nobody else\'s scripts', async () => {
  const root = join(source, '..', '..', '..');
  const { stdout } = await run('git', ['-C', root, 'grep', '-InE', String.raw`npm (ci|i|install|exec)\b|npx |'(ci|install)',`, '--', '*.mjs', 'Makefile', '*Dockerfile', '*Containerfile', ':!src/test/sandbox/image.test.mjs']);
  const installing = stdout.split('\n').filter((line) => line && !/Error|^[^:]*:[0-9]+: *(\/\/|\*)/.test(line));

  assert.deepEqual(installing.filter((line) => !line.includes('--ignore-scripts')), []);
  assert.ok(installing.length >= 2, stdout);
});

test('the Dockerfile for Daytona holds the files themselves', async () => {
  const { stdout } = await snapshot(['--print']);
  const unpacking = stdout.match(/^RUN mkdir -p \/opt\/gorkie[^]*?[^\\]\n/m)[0];
  const commands = unpacking.slice(4).replaceAll('/opt/gorkie', join(folder, 'gorkie'));
  assert.ok(stdout.split('\n').every((line) => line.length < 65_535));
  assert.doesNotMatch(stdout, /^COPY/m);

  const unpacked = await run('/bin/sh', ['-c', commands]);

  assert.equal(unpacked.code, 0, unpacked.stderr);
  for (const file of ['SYSTEM.md', 'bin/keeper', 'extension.ts', 'keeper.mjs', 'keeper/journal.mjs', 'package-lock.json', 'settings.json']) {
    assert.deepEqual(readFileSync(join(folder, 'gorkie', file)), readFileSync(join(source, file)), file);
  }
  assert.equal(`gorkie-${readFileSync(join(folder, 'gorkie', 'image'), 'utf8')}`, (await snapshot(['--name'])).stdout);
});

test('the image is built on what an operator has pinned, and is another image then', async () => {
  const base = `registry.example/mirror/node:24.21.0-bookworm-slim@sha256:${'0a'.repeat(32)}`;
  const usual = await snapshot(['--print']);
  const pinned = await snapshot(['--print'], { GORKIE_BASE_IMAGE: base });
  const names = [await snapshot(['--name']), await snapshot(['--name'], { GORKIE_BASE_IMAGE: base })].map(({ stdout }) => stdout);
  const byTag = await snapshot(['--name'], { GORKIE_BASE_IMAGE: 'node:24.21.0-bookworm-slim' });

  const lines = ({ stdout }) => stdout.split('\n').filter((line) => !/^(FROM|.*> \/opt\/gorkie\/image$)/.test(line));
  assert.deepEqual(pinned.stdout.match(/^FROM .*$/gm), [`FROM ${base}`]);
  assert.deepEqual(lines(pinned), lines(usual));
  assert.notEqual(names[0], names[1]);
  assert.equal(byTag.code, 2);
  assert.match(byTag.stderr, /^GORKIE_BASE_IMAGE is not what it should be\. Expected: an image with its digest, such as .*\n$/);
});

test('who works in the image is nobody special, and cannot become anybody else', async () => {
  const { stdout } = await snapshot(['--print']);
  const users = [...stdout.matchAll(/^USER (.*)$/gm)].map(([, name]) => name);
  const installed = stdout.match(/apt-get install[^]*?&& rm/)[0].split(/\s+/);

  assert.deepEqual(users, ['daytona']);
  assert.deepEqual(['sudo', 'doas', 'su-exec', 'gosu'].filter((name) => installed.includes(name)), []);
  assert.match(stdout, /chown -R root:root \/opt\/gorkie && chmod -R u=rwX,go=rX \/opt\/gorkie/);
  assert.ok(stdout.indexOf('chown -R root:root') < stdout.indexOf('USER daytona'));
});

test('a snapshot is built and waited for, and one that exists is left alone', async () => {
  api.states = ['pending', 'building', 'active'];
  const first = await snapshot([]);
  const second = await snapshot([]);

  assert.deepEqual([first.code, second.code], [0, 0]);
  assert.match(second.stdout, /exists and is active/);
  assert.equal(api.created.length, 1);
  const { name, cpu, memory, disk, buildInfo, regionId } = api.created[0];
  assert.deepEqual([`${name}\n`, cpu, memory, disk, regionId], [(await snapshot(['--name'])).stdout, 1, 2, 5, 'eu']);
  assert.equal(buildInfo.dockerfileContent, (await snapshot(['--print'])).stdout);
  assert.equal(api.authorization, 'Bearer key-1');
});

test('a build that fails is told with its reason', async () => {
  api.states = ['building', 'build_failed'];

  const { code, stderr } = await snapshot([]);

  assert.equal(code, 1);
  assert.match(stderr, /build_failed: no space left/);
});

test('an inactive snapshot is activated', async () => {
  api.states = ['inactive', 'pending', 'active'];
  api.exists = true;

  const { code } = await snapshot([]);

  assert.equal(code, 0);
  assert.equal(api.activated, 1);
});

test('without a key a sentence names it', async () => {
  const { code, stderr } = await snapshot([], { DAYTONA_API_KEY: '' });

  assert.equal(code, 2);
  assert.match(stderr, /DAYTONA_API_KEY is not set/);
});

test('a Daytona that cannot be reached is told in one line', async () => {
  const unreachable = await snapshot([], { DAYTONA_API_KEY: 'key', DAYTONA_API_URL: 'http://127.0.0.1:9/api' });
  const malformed = await snapshot([], { DAYTONA_API_KEY: 'key', DAYTONA_API_URL: 'localhost/api' });

  assert.match(unreachable.stderr, /^Daytona does not answer at http:.*\n$/);
  assert.match(malformed.stderr, /^DAYTONA_API_URL is not what it should be: .*\n$/);
});

test('installing twice at once makes one image, the one whose name a snapshot has', async () => {
  // What npm installed is long to install: the second cache begins with it.
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const modules = dirname(realpathSync(join(image, 'node_modules')));
  symlinkSync(modules, join(cache, basename(modules)));

  const both = await Promise.all([install(cache), install(cache)]);
  const again = await install(cache);

  const made = both[0].stdout.trim();
  assert.deepEqual([both[1].stdout.trim(), again.stdout.trim()], [made, made]);
  assert.deepEqual(readdirSync(cache).sort(), [basename(made), basename(modules)].sort());
  assert.equal(`gorkie-${readFileSync(join(made, 'image'), 'utf8')}`, (await snapshot(['--name'])).stdout);
  const keeper = join(made, 'bin', 'keeper');
  for (const called of [keeper, relative(folder, keeper)]) {
    const shown = await run(called, ['display'], { HOME: folder, PATH: process.env.PATH });
    assert.deepEqual(JSON.parse(shown.stdout), { files: [], more: 0 });
  }
});

function snapshot(words, more = {}) {
  const environment = { PATH: process.env.PATH, DAYTONA_API_KEY: 'key-1', DAYTONA_API_URL: `${api.url}/`, DAYTONA_TARGET: 'eu', SNAPSHOT_POLL_MS: '5', ...more };
  return run(process.execPath, [join(source, 'snapshot.mjs'), ...words], environment);
}

function install(cache) {
  return run(process.execPath, [join(source, 'install.mjs'), cache]);
}

function run(program, words, environment = process.env) {
  return new Promise((resolve) => {
    execFile(program, words, { env: environment, cwd: folder, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
}

/** Daytona's snapshots, one state after the other at each look. */
class SnapshotApi {
  states = [];
  exists = false;
  created = [];
  activated = 0;
  #server = createServer((request, response) => this.#serve(request, response));

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}/api`;
  }

  stop() {
    this.#server.close();
  }

  async #serve(request, response) {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    this.authorization = request.headers.authorization;
    const answer = (status, content) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    const snapshot = () => ({ id: 'id-1', state: this.states.length > 1 ? this.states.shift() : this.states[0], errorReason: 'no space left' });
    if (request.method === 'POST' && request.url === '/api/snapshots') {
      this.exists = true;
      this.created.push(JSON.parse(body));
      answer(200, { id: 'id-1', state: 'pending' });
    } else if (request.url === '/api/snapshots/id-1/activate') {
      this.activated++;
      answer(200, {});
    } else if (request.method === 'GET' && this.exists) {
      answer(200, snapshot());
    } else {
      answer(404, { message: 'not found' });
    }
  }
}
