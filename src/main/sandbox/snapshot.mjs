// Turns the sandbox's files into a snapshot at Daytona, under a name that changes when any of them does.
//
//   node src/main/sandbox/snapshot.mjs            makes the snapshot, unless it exists, and waits until it is active
//   node src/main/sandbox/snapshot.mjs --name     prints its name
//   node src/main/sandbox/snapshot.mjs --print    prints its Dockerfile

import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { account, stop } from './daytona.mjs';
import { contentHash, contentOf, executable, files, others } from './image.mjs';

const RESOURCES = { cpu: 1, memory: 2, disk: 5 };
const POLL_MS = Number(process.env.SNAPSHOT_POLL_MS ?? 3_000);
const BUILD_MS_MAX = 60 * 60_000;
// A Dockerfile's line may not be longer, nor an argument of the shell that runs the lines together.
const LINE_BYTES_MAX = 65_535;
const COMMAND_BYTES_MAX = 128 * 1024;
const PIECE_BYTES = 60_000;

const COPY = 'COPY . /opt/gorkie/';
const FAILED = new Set(['error', 'build_failed']);

export function snapshotName() {
  return `gorkie-${contentHash()}`;
}

/** The Dockerfile without need of a folder beside it: the files lie in it, packed. */
export function dockerfile() {
  const commands = [
    `mkdir -p ${foldersOf(files).join(' ')}`,
    ...files.map((file) => `echo ${gzipSync(contentOf(file), { level: 9 }).toString('base64')} | base64 -d | gunzip > /opt/gorkie/${file}`),
    'chmod 755 /opt/gorkie/bin/keeper',
    `echo ${contentHash()} > /opt/gorkie/image`,
  ];
  const run = `RUN ${commands.join(' \\\n && ')}`;
  if (Buffer.byteLength(run) > COMMAND_BYTES_MAX || run.split('\n').some((line) => Buffer.byteLength(line) > LINE_BYTES_MAX)) {
    throw new Error('the files have grown too large to be written into one command of a Dockerfile');
  }
  const text = contentOf('Dockerfile').toString('utf8');
  if (!text.includes(COPY)) {
    throw new Error(`the Dockerfile no longer says ${COPY}`);
  }
  return text.replace(COPY, () => [run, ...withOthers()].join('\n'));
}

function foldersOf(names) {
  return [...new Set(names.map((file) => file.split('/').slice(0, -1).join('/')))].map((folder) => `/opt/gorkie/${folder}`);
}

/** What an operator has added, a command each and as many as it takes; other programs look for skills at the root. */
function withOthers() {
  if (others.length === 0) {
    return [];
  }
  const modes = others.filter((file) => executable.has(file)).map((file) => ` && chmod 755 /opt/gorkie/${file}`);
  return [
    `RUN mkdir -p /.claude ${foldersOf(others).join(' ')} && ln -s /opt/gorkie/skills /.claude/skills`,
    ...others.flatMap((file) => {
      const packed = gzipSync(contentOf(file), { level: 9 }).toString('base64');
      const pieces = packed.match(new RegExp(`.{1,${PIECE_BYTES}}`, 'g'));
      return pieces.map((piece, at) => `RUN echo ${piece} ${at === 0 ? '>' : '>>'} /tmp/packed`).concat(`RUN base64 -d -i /tmp/packed | gunzip > /opt/gorkie/${file} && rm /tmp/packed`);
    }),
    `RUN true${modes.join('')}`,
  ];
}

async function main() {
  if (process.argv.includes('--name')) {
    console.log(snapshotName());
  } else if (process.argv.includes('--print')) {
    process.stdout.write(dockerfile());
  } else {
    await make(account('to write snapshots'));
  }
}

async function make({ call, target }) {
  const name = snapshotName();

  let snapshot = await call('GET', `/snapshots/${name}`);
  if (snapshot?.state === 'active') {
    console.log(`Snapshot ${name} exists and is active.`);
    return;
  }
  if (FAILED.has(snapshot?.state)) {
    console.log(`Snapshot ${name} failed before (${reason(snapshot)}); it is removed and built anew.`);
    await call('DELETE', `/snapshots/${snapshot.id ?? name}`);
    await gone(call, name);
    snapshot = null;
  }
  if (snapshot?.state === 'inactive') {
    console.log(`Snapshot ${name} exists and is inactive; it is activated.`);
    await call('POST', `/snapshots/${snapshot.id}/activate`);
  } else if (snapshot) {
    console.log(`Snapshot ${name} exists and is ${snapshot.state}.`);
  } else {
    console.log(`Snapshot ${name} is being built; that takes some minutes.`);
    await call('POST', '/snapshots', { name, ...RESOURCES, ...(target && { regionId: target }), buildInfo: { dockerfileContent: dockerfile() } });
  }
  await active(call, name);
  console.log(`Snapshot ${name} is active.`);
}

async function active(call, name) {
  for (const end = Date.now() + BUILD_MS_MAX; Date.now() < end; await sleep(POLL_MS)) {
    const snapshot = await call('GET', `/snapshots/${name}`);
    if (snapshot?.state === 'active') {
      return;
    }
    if (FAILED.has(snapshot?.state)) {
      stop(1, `Snapshot ${name}: ${snapshot.state}: ${reason(snapshot)}`);
    }
  }
  stop(1, `Snapshot ${name} was not active after an hour.`);
}

async function gone(call, name) {
  for (const end = Date.now() + BUILD_MS_MAX; Date.now() < end && (await call('GET', `/snapshots/${name}`)); await sleep(POLL_MS));
}

function reason(snapshot) {
  return snapshot.errorReason ?? 'no reason given';
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main();
}
