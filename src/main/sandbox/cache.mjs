// What is fetched once and kept: folders in the user's cache, each there whole or not at all.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder aside and renames it. What is there already is used again; two at once make it once. */
export function made(folder, make) {
  if (existsSync(folder)) {
    return folder;
  }
  const aside = mkdtempSync(`${folder}.`);
  try {
    make(aside);
    chmodSync(aside, 0o755);
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) {
      throw error;
    }
  }
  return folder;
}

/** What the lock file beside `source` says, put into `folder` by npm. */
export function install(folder, source, ...options) {
  ['package.json', 'package-lock.json'].forEach((name) => copyFileSync(join(source, name), join(folder, name)));
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', ...options, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status !== 0) {
    throw new Error(`npm ci failed${npm.error ? `: ${npm.error.message}` : ''}`);
  }
}
