// Whether a secret that has got into a log or a report would be noticed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LEAKS = fileURLToPath(new URL('../../build/leaks.mjs', import.meta.url));
const SECRET = 'of-the-tests-0123456789';
const target = mkdtempSync(join(tmpdir(), 'gorkie-leaks-'));

beforeEach(() => {
  rmSync(target, { recursive: true });
  put('leaks/1-1.canaries', `${SECRET}\n`);
  put('leaks/1-1.found', '\n');
  put('gorkie-1.log', 'nothing to be seen\n');
});

after(() => rmSync(target, { recursive: true }));

function put(name, text) {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  writeFileSync(join(target, name), text);
}

function look() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LEAKS, target], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

test('where no secret is nothing is found', () => {
  assert.deepEqual(look(), { status: 0, said: 'Of 1 secrets none was found anywhere, 1 logs included.\n' });
});

for (const [what, name, text] of [
  ['a secret of the tests', 'failsafe-reports/TEST-one.xml', `<system-out>token ${SECRET} used</system-out>`],
  ['a token of Slack', 'gorkie-2.log', 'refused xoxb-1234567890-abcdefgh'],
  ['an app-level token', 'gorkie-2.log', 'opened with xapp-1-A012AB3CD-4567-abcdefgh'],
  ['a token of a program', 'gorkie-2.log', `refused gorkie_abcdefghijkl_${'A1b-'.repeat(11).slice(1)}`],
  ['a bearer', 'gorkie-2.log', 'Authorization: Bearer abcdefghijklmnopqrst'],
  ['a password in an address', 'surefire-reports/one.txt', 'at postgresql://ada:pass-word@db/gorkie'],
  ['a private key', 'gorkie-2.log', '-----BEGIN RSA PRIVATE KEY-----'],
]) {
  test(`${what} in a log is found and not shown`, () => {
    put(name, text);

    const { status, said } = look();

    assert.equal(status, 1);
    assert.match(said, new RegExp(name));
    assert.ok(!said.includes(SECRET) && !said.includes('abcdefgh'), said);
  });
}

test('what the tests have found themselves is told', () => {
  put('leaks/1-1.found', 'SLACK_BOT_TOKEN in table inbox\n');

  assert.deepEqual([look().status, look().said.includes('SLACK_BOT_TOKEN in table inbox')], [1, true]);
});

test('who has said nothing of secrets has not looked', () => {
  rmSync(join(target, 'leaks'), { recursive: true });

  assert.equal(look().status, 1);
});
