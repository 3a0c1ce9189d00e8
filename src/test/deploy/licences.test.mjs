// What is handed on, and under which licences.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..', '..');
const sandbox = join(root, 'src', 'main', 'sandbox');
const maker = join(root, 'src', 'build', 'bill.mjs');
const folder = mkdtempSync(join(tmpdir(), 'gorkie-licences-'));

after(() => rmSync(folder, { recursive: true }));

function list(components) {
  const bill = join(folder, 'bill.json');
  writeFileSync(bill, JSON.stringify({ bomFormat: 'CycloneDX', components }));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src', 'build', 'licences.mjs'), join(folder, 'list'), bill], { encoding: 'utf8' });
  return { status, said: stdout + stderr, list: status === 0 ? readFileSync(join(folder, 'list'), 'utf8') : '' };
}

const part = (name, licenses) => ({ type: 'library', name, version: '1.0', purl: `pkg:npm/${name}@1.0`, licenses });

test('every package of the sandbox is in its bill of materials, with a licence that lets it be handed on', () => {
  const bill = JSON.parse(execFileSync(process.execPath, [maker], { encoding: 'utf8' }));
  const { packages } = JSON.parse(readFileSync(join(sandbox, 'package-lock.json'), 'utf8'));
  const locked = Object.entries(packages)
    .filter(([path, { optional }]) => path && !optional)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);

  const billed = new Set(bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
  const { status, said } = list(bill.components);

  assert.deepEqual(locked.filter((one) => !billed.has(one)), []);
  assert.equal(status, 0, said);
});

test('an npm that makes no bill of materials fetches one that does', () => {
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n[ "$1" = exec ] && echo "$*"\n`, { mode: 0o755 });

  const { status, stdout } = spawnSync(process.execPath, [maker], { encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } });

  assert.equal(status, 0);
  assert.match(stdout, /^exec --yes npm@[0-9.]+ -- sbom .*cyclonedx/);
});

test('of two licences one is enough, and what people write is understood', () => {
  const { status, list: text } = list([part('both', [{ expression: '(GPL-3.0-only OR MIT)' }]), part('all', [{ expression: 'MIT AND ISC' }]), part('words', [{ license: { name: 'The Apache Software License, Version 2.0' } }])]);

  assert.equal(status, 0);
  assert.equal(text, 'pkg:npm/all@1.0  MIT and ISC\npkg:npm/both@1.0  GPL-3.0-only or MIT\npkg:npm/words@1.0  Apache-2.0\n');
});

for (const [what, licenses] of [
  ['a licence that wants more', [{ license: { id: 'AGPL-3.0-only' } }]],
  ['two licences that both count', [{ expression: '(MIT AND AGPL-3.0-only)' }]],
  ['a choice beside which another one counts', [{ expression: '(MIT OR ISC) AND AGPL-3.0-only' }]],
  ['no licence', []],
]) {
  test(`a part with ${what} is refused by its name`, () => {
    const { status, said } = list([part('fine', [{ license: { id: 'MIT' } }]), part('wrong', licenses)]);

    assert.equal(status, 1);
    assert.match(said, /pkg:npm\/wrong@1\.0/);
    assert.doesNotMatch(said, /fine/);
  });
}
