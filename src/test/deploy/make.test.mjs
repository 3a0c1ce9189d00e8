// What make tells the commands that it runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const project = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'gorkie-make-'));
after(() => rmSync(folder, { recursive: true }));

/** The environment of the command that a target runs, in the place of which another one does. */
function environmentOf(target, ...words) {
  const shell = join(folder, 'shell');
  const seen = join(folder, 'seen');
  writeFileSync(shell, `#!/bin/sh\nenv >'${seen}'\n`);
  chmodSync(shell, 0o755);
  const made = spawnSync('make', ['-s', '-C', project, '-o', 'package', '-o', 'tools', '-o', 'sandbox-tools', `SHELL=${shell}`, target, ...words], {
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  return Object.fromEntries(readFileSync(seen, 'utf8').split('\n').filter(Boolean).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

test('what nobody has said no command is told', () => {
  for (const [target, ...names] of [['deploy', 'STEP'], ['rollback', 'RELEASE'], ['undeploy', 'SURE'], ['slack-app', 'URL'], ['token', 'TENANT', 'NAME', 'SCOPES', 'DAYS', 'REVOKE']]) {
    const environment = environmentOf(target);
    names.forEach((name) => assert.equal(environment[name], undefined, `${target}: ${name}`));
  }
});

test('what somebody has said is told as it is', () => {
  assert.equal(environmentOf('deploy', 'STEP=build,functions').STEP, 'build,functions');
  assert.equal(environmentOf('rollback', 'RELEASE=r-1').RELEASE, 'r-1');
  assert.equal(environmentOf('undeploy', 'SURE=gorkie').SURE, 'gorkie');
  assert.equal(environmentOf('slack-app', 'URL=https://gorkie.example.org').URL, 'https://gorkie.example.org');
  const token = environmentOf('token', 'TENANT=acme', 'NAME=build server', 'SCOPES=read,write', 'DAYS=9');
  assert.deepEqual([token.GORKIE_TOKEN, token.TENANT, token.NAME, token.SCOPES, token.DAYS], ['make', 'acme', 'build server', 'read,write', '9']);
  assert.equal(environmentOf('token', 'LIST=1').GORKIE_TOKEN, 'list');
  const revoked = environmentOf('token', 'REVOKE=abc');
  assert.deepEqual([revoked.GORKIE_TOKEN, revoked.REVOKE], ['revoke', 'abc']);
  assert.equal(environmentOf('forget', 'TENANT=acme').GORKIE_FORGETS, 'api/acme');
  assert.equal(environmentOf('forget', 'TEAM=T1', 'PERSON=U1').GORKIE_FORGETS, 'T1/U1');
  assert.equal(environmentOf('trace', 'THREAD=T1:C1:1.2').GORKIE_THREAD, 'T1:C1:1.2');
  assert.equal(environmentOf('say', 'TEXT=$ echo $HOME').GORKIE_TEXT, '$ echo $HOME');
});
