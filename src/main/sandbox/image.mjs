// What the sandbox's image is made of, and the name that follows from it.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from './daytona.mjs';
import { extras } from './extras.mjs';

export const source = fileURLToPath(new URL('.', import.meta.url));

const modules = readdirSync(join(source, 'keeper')).sort().map((name) => `keeper/${name}`);

const added = extras();

const BASE = /^[a-z0-9][A-Za-z0-9._:/-]*@sha256:[0-9a-f]{64}$/;
const base = pinned(process.env);

/** What an operator has added. */
export const others = [...added.keys()];

/** What lies in `$GORKIE`, beside what npm puts there. */
export const files = ['SYSTEM.md', 'bin/keeper', 'extension.ts', 'keeper.mjs', ...modules, 'package-lock.json', 'package.json', 'settings.json'];

export const executable = new Set(['bin/keeper', ...[...added].filter(([, path]) => statSync(path).mode & 0o100).map(([file]) => file)]);

export function contentOf(file) {
  const content = readFileSync(added.get(file) ?? join(source, file));
  return file === 'Dockerfile' && base ? Buffer.from(content.toString('utf8').replace(/^FROM .*$/m, () => `FROM ${base}`)) : content;
}

/** What an operator wants it built on, by its digest, so that it is the same whoever moves the tag. */
function pinned({ GORKIE_BASE_IMAGE: image }) {
  if (image && !BASE.test(image)) {
    stop(2, 'GORKIE_BASE_IMAGE is not what it should be. Expected: an image with its digest, such as node:24.21.0-bookworm-slim@sha256: and 64 digits.');
  }
  return image;
}

/** Changes when anything changes that goes into an image. */
export function contentHash() {
  return hashOf([...files, ...others, 'Dockerfile']);
}

export function hashOf(names) {
  const hash = createHash('sha256');
  for (const name of names) {
    const content = contentOf(name);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
