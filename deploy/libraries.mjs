// The packages deploying needs, fetched by npm into the user's cache as the lock file says, once.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, made } from '../src/main/sandbox/cache.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** One of them. Where it comes from is npm's own setting. */
export function library(name) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gorkie');
  mkdirSync(cache, { recursive: true });
  const lock = createHash('sha256').update(readFileSync(join(here, 'package-lock.json'))).digest('hex').slice(0, 12);
  const folder = made(join(cache, `deploy-${lock}`), (folder) => install(folder, here));
  return createRequire(join(folder, 'package.json'))(name);
}
