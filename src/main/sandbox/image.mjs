// What the sandbox's image is made of, and the name that follows from it.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const source = fileURLToPath(new URL('.', import.meta.url));

const modules = readdirSync(join(source, 'keeper')).sort().map((name) => `keeper/${name}`);

/** What lies in `$GORKIE`, beside what npm puts there. */
export const files = ['SYSTEM.md', 'bin/keeper', 'extension.ts', 'keeper.mjs', ...modules, 'package-lock.json', 'package.json', 'settings.json'];

export const executable = new Set(['bin/keeper']);

export function contentOf(file) {
  return readFileSync(join(source, file));
}

/** Changes when anything changes that goes into an image. */
export function contentHash() {
  return hashOf([...files, 'Dockerfile']);
}

export function hashOf(names) {
  const hash = createHash('sha256');
  for (const name of names) {
    const content = contentOf(name);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
