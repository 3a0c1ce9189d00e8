// Puts the receiver and what it is made with into a folder of the cache, and prints its path:
//
//   node src/test/bench/bolt/install.mjs <cache folder>

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = ['package.json', 'receiver.mjs', 'runtime.mjs'];
const source = fileURLToPath(new URL('.', import.meta.url));
const hash = createHash('sha256');
FILES.forEach((name) => hash.update(readFileSync(join(source, name))));
const folder = join(resolve(process.argv[2]), `bolt-${hash.digest('hex').slice(0, 12)}`);

if (!existsSync(folder)) {
  mkdirSync(resolve(process.argv[2]), { recursive: true });
  // Made aside and renamed, so that it is there whole or not at all.
  const aside = mkdtempSync(`${folder}.`);
  FILES.forEach((name) => copyFileSync(join(source, name), join(aside, name)));
  const npm = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--omit=dev', '--loglevel=error'], {
    cwd: aside,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status !== 0) {
    rmSync(aside, { recursive: true, force: true });
    console.error('npm did not install what the receiver is made with');
    process.exit(1);
  }
  if (existsSync(folder)) {
    rmSync(aside, { recursive: true, force: true });
  } else {
    renameSync(aside, folder);
  }
}
console.log(folder);
