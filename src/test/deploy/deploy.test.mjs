// Deploying, with tools that stand in for those of AWS and all else as it is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { findings } from '../../../deploy/validate.mjs';
import { KEYS } from '../../../deploy/settings.mjs';
import { parameters } from '../../../deploy/template.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const TEMPLATE = join(root, 'deploy', 'sam-template.yaml');
const SECRETS = {
  SLACK_SIGNING_SECRET: 'signing-secret',
  SLACK_BOT_TOKEN: 'xoxb-secret',
  DAYTONA_API_KEY: 'dtn-secret',
  DATABASE_URL: 'postgresql://ada:db-secret@db.example/gorkie',
  MODEL_API_KEY: 'model-secret',
};
const CONFIG = `# the operator's own words
[aws]
region = "eu-central-1"
worker_concurrency = 40

[model]
base_url = "https://openrouter.ai/api/v1"
id = "some/model"

[slack]
test_user = "U0ADA"
`;

// The program that is tried, with a place of its own for what it makes.
const PROGRAM = mkdtempSync(join(tmpdir(), 'gorkie-program-'));
const CODE = join(PROGRAM, 'target', 'deploy', 'function.zip');
let folder;

before(() => {
  for (const part of ['deploy', join('src', 'main', 'sandbox')]) {
    cpSync(join(root, part), join(PROGRAM, part), { recursive: true });
  }
});

after(() => rmSync(PROGRAM, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gorkie-deploy-'));
  mkdirSync(join(folder, 'bin'));
  for (const [tool, sets] of [['aws', ''], ['sam', 'SAM=1 ']]) {
    executable(tool, `#!/bin/sh\n${sets}exec "${process.execPath}" "${join(import.meta.dirname, 'world', 'aws.mjs')}" "$@"\n`);
  }
  executable('make', '#!/bin/sh\nexit 0\n');
  writeFileSync(join(folder, 'config.toml'), CONFIG);
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the template is in order, as AWS judges it', () => {
  assert.deepEqual(findings(TEMPLATE), []);
});

test('a mistake in the template would be found', () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, readFileSync(TEMPLATE, 'utf8').replace('MaximumRetryAttempts: 2', 'MaximumRetries: 2').replace('SqsManagedSseEnabled', 'SqsManaged'));

  assert.match(findings(broken).join('\n'), /MaximumRetries|SqsManaged/);
});

test('the lock file names no registry and fixes every package', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'deploy', 'package-lock.json'), 'utf8'));

  const installed = Object.entries(packages).filter(([path]) => path);
  assert.equal(installed.length, 3);
  assert.deepEqual(installed.filter(([, entry]) => entry.resolved || !entry.integrity), []);
});

test('what is missing or wrong is named with what is expected', async () => {
  const said = async (config, ...words) => {
    writeFileSync(join(folder, 'config.toml'), config);
    const { code, err } = await deploy(words);
    assert.equal(code, 2);
    return err.replaceAll(folder, '').trim();
  };

  assert.equal(await said('', 'check'), '/config.toml has no aws.region. Expected: the region of AWS to deploy to, such as eu-central-1.');
  assert.match(await said('aws = [', 'check'), /^\/config.toml is no TOML: /);
  assert.match(await said('[aws]\nregoin = "eu-central-1"\n', 'check'), /^\/config.toml says aws.regoin, which means nothing. Expected: aws.region, /);
  assert.equal(
    await said('[aws]\narchitecture = "arm"\n', 'check'),
    'aws.architecture is not what it should be. Expected: what the program was built for: x86_64, arm64.',
  );
  assert.match(await said('[aws]\nworker_memory = 511\n', 'check'), /^aws.worker_memory is not what it should be. /);
  assert.match(await said('[model]\nid = "two words"\n', 'check'), /^model.id is not what it should be. /);
  assert.match(await said('[aws]\nlog_days = "0x7"\n', 'check'), /^aws.log_days is not what it should be. /);
  assert.match(await said('[aws]\nsecrets_key_arn = "alias/gorkie"\n', 'check'), /^aws.secrets_key_arn is not what it should be. Expected: the ARN of the KMS key /);
  assert.match(await said('[aws]\nalarm_email = "ada"\n', 'check'), /^aws.alarm_email is not what it should be. /);
  assert.match(await said('[aws]\nsubnets = ["subnet-1"]\n', 'check'), /^aws.subnets and aws.security_groups are not what they should be. Expected: both, or neither.$/);
  assert.match(await said('[gorkie]\nturns_at_once = 1.5\n', 'check'), /^gorkie.turns_at_once is not what it should be. /);
  assert.match(
    await said('[aws]\nworker_concurrency = 29\n', 'check'),
    /^aws.worker_concurrency is not what it should be. Expected: at least 10 more than gorkie.turns_at_once, which is 20, /,
  );
  assert.match(await said(CONFIG, 'functoins'), /^functoins is no step. Expected: check, app, secrets, build, /);
});

test('thirty workers are enough for twenty turns, and no cap is one too', async () => {
  for (const workers of [30, 0]) {
    writeFileSync(join(folder, 'config.toml'), CONFIG.replace('= 40', `= ${workers}`));
    assert.equal((await deploy(['check'])).code, 0);
  }
});

test('a tool that is not there is named', async () => {
  rmSync(join(folder, 'bin', 'sam'));

  const { code, err } = await deploy(['check'], { PATH: join(folder, 'bin') });

  assert.equal(code, 2);
  assert.equal(err.trim(), 'sam was not found. Install the AWS SAM command line interface and try again.');
});

test('an account without room for the workers is told how to go on', async () => {
  state({ unreserved: 139 });
  assert.match((await deploy(['check'])).err, /^This account may run 1000 functions at once, of which 139 are not reserved; 100 have to stay so\./);

  state({ unreserved: 140 });
  assert.equal((await deploy(['check'])).code, 0);

  // What the worker has already it keeps: ten more are asked for, and there are ten.
  const deployed = { stacks: { gorkie: { parameters: {}, outputs: { Worker: 'gorkie-worker' } } }, reserved: 30 };
  state({ ...deployed, unreserved: 110 });
  assert.equal((await deploy(['check'])).code, 0);

  state({ ...deployed, unreserved: 109 });
  assert.match((await deploy(['check'])).err, /of which 139 are not reserved/);
});

test('more than Lambda tells a function is refused before anything is deployed', async () => {
  const said = async (length) => {
    writeFileSync(join(folder, 'config.toml'), CONFIG.replace('[model]', `[model]\nsees = "${'m'.repeat(length)}"`));
    return (await deploy(['check'])).err;
  };
  const [, most, comes] = (await said(4_096)).match(/^model\.sees is not what it should be\. Expected: less: .* may have (\d+) bytes, and this comes to (\d+)\./);
  const fits = 4_096 - (comes - most);

  assert.equal(await said(fits), '');
  assert.match(await said(fits + 1), new RegExp(`and this comes to ${Number(most) + 1}\\.`));
});

test('programs get a function and an address of their own where that is wanted, and go back with the others', async () => {
  writeFileSync(join(folder, 'config.toml'), `${CONFIG}[gorkie]\napi = "yes"\n`);
  prepared();

  const first = await deploy(['secrets', 'functions'], SECRETS);
  await deploy(['secrets', 'functions'], { DAYTONA_API_KEY: 'dtn-next-secret' });
  const back = await deploy(['rollback']);

  assert.match(first.out, /Programs call https:\/\/def\.execute-api\.example\.com\/v1\/sandbox/);
  assert.match(back.out, /Live: gorkie-api from version 2 to 1/);
});

test('a setting of the template is a setting of the operator, or follows from what is deployed', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);

  assert.deepEqual(Object.keys(state().stacks.gorkie.parameters).sort(), Object.keys(parameters).sort());
});

test('every setting of the operator is told of in the docs', () => {
  const docs = readFileSync(join(root, 'docs', 'deploying.md'), 'utf8');
  const told = KEYS.filter((key) => {
    const [section, name] = key.split('.');
    return docs.includes(`\`${key}\``) || new RegExp(`\\[${section}\\]\\n(?:\\w.*\\n)*${name} = `).test(docs);
  });

  assert.deepEqual(told, KEYS);
});

test('secrets go to SSM, are seen by nobody on the way, and are put there once', async () => {
  const missing = await deploy(['secrets']);
  assert.match(missing.err, /^SLACK_SIGNING_SECRET is missing\. Expected: the signing secret .*in SSM as \/gorkie\/SLACK_SIGNING_SECRET\./);

  assert.equal((await deploy(['secrets'], SECRETS)).code, 0);
  assert.equal((await deploy(['secrets'], SECRETS)).code, 0);
  const again = await deploy(['secrets']);

  const stored = Object.entries(state().parameters).map(([name, { Value, Version }]) => [name, Value, Version]);
  assert.deepEqual(stored, Object.entries(SECRETS).map(([name, value]) => [`/gorkie/${name}`, value, 1]));
  assert.deepEqual(Object.values(SECRETS).filter((value) => asked().includes(value)), []);
  assert.match(again.out, /All are in SSM\./);
});

test('with a KMS key of ones own, the key over tokens is made there and seen by nobody', async () => {
  const key = 'arn:aws:kms:eu-central-1:000000000000:key/1';
  const many = CONFIG.replace('[aws]\n', `[aws]\nsecrets_key_arn = "${key}"\n`).replace('[slack]\n', '[slack]\nmany_workspaces = true\nclient_id = "1.2"\n');
  writeFileSync(join(folder, 'config.toml'), many);
  const { SLACK_BOT_TOKEN, ...others } = SECRETS;

  const { code, err } = await deploy(['secrets'], { ...others, SLACK_CLIENT_SECRET: 'client-secret' });

  assert.equal(code, 0, err);
  assert.match(state().parameters['/gorkie/GORKIE_TOKEN_KEY'].Value, /^kms:[A-Za-z0-9+/=]{200,}$/);
  assert.ok(asked().includes(key), asked());
});

test('a malformed secret is refused without being shown', async () => {
  const { code, err } = await deploy(['secrets'], { ...SECRETS, SLACK_BOT_TOKEN: 'xoxp-secret' });

  assert.equal(code, 2);
  assert.match(err, /^SLACK_BOT_TOKEN is not what it should be\. /);
  assert.doesNotMatch(err, /xoxp/);
});

test('a model key at Daytona is not asked for', async () => {
  writeFileSync(join(folder, 'config.toml'), `${CONFIG}[daytona]\nsecret = "gorkie-model-key"\n`);

  const { MODEL_API_KEY, ...others } = SECRETS;
  assert.equal((await deploy(['secrets'], others)).code, 0);
});

test('deploying again what is deployed changes nothing, and another secret is another release', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  const first = live();
  await deploy(['secrets', 'functions']);
  const second = live();
  await deploy(['secrets', 'functions'], { DAYTONA_API_KEY: 'dtn-next-secret' });

  assert.deepEqual(first, ['1', '1']);
  assert.deepEqual(second, ['1', '1']);
  assert.deepEqual(live(), ['2', '2']);
});

test('a rollback shifts both functions to the release before, and deploying goes forward again', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  await deploy(['secrets', 'functions'], { DAYTONA_API_KEY: 'dtn-next-secret' });

  const back = await deploy(['rollback']);
  const after = live();
  const further = await deploy(['rollback']);
  const forward = await deploy(['functions']);

  assert.equal(back.code, 0, back.err);
  assert.deepEqual(after, ['1', '1']);
  assert.match(further.err, /^Before release [0-9a-f]{12} there is none to go back to\./);
  assert.match(forward.out, /Live: gorkie-worker from version 1 to 2/);
  assert.deepEqual(live(), ['2', '2']);
});

test('settings that do not fit together keep nobody from going back', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  await deploy(['secrets', 'functions'], { DAYTONA_API_KEY: 'dtn-next-secret' });
  writeFileSync(join(folder, 'config.toml'), CONFIG.replace('= 40', '= 29'));

  const back = await deploy(['rollback']);

  assert.equal(back.code, 0, back.err);
  assert.deepEqual(live(), ['1', '1']);
  assert.equal((await deploy(['functions'])).code, 2);
});

test('a first deployment that came to nothing is begun anew, and can be removed', async () => {
  prepared();
  const failed = { stacks: { gorkie: { parameters: {}, outputs: {}, status: 'ROLLBACK_COMPLETE' } } };
  state(failed);
  const removed = await deploy(['undeploy'], { SURE: 'gorkie' });
  assert.match(removed.out, /Stack gorkie is removed/);
  assert.deepEqual(state().stacks, {});

  state(failed);
  const again = await deploy(['secrets', 'functions'], SECRETS);

  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /came to nothing when it was made/);
  assert.deepEqual(live(), ['1', '1']);
});

test('a rollback to a release that is not there says which ones are', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  const { err } = await deploy(['rollback'], { RELEASE: 'abc' });

  assert.match(err, /^gorkie-worker has no version of release abc\. There are: [0-9a-f]{12}\./);
});

test('of older releases four are kept', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  const versions = Array.from({ length: 7 }, (_, n) => ({ Version: `${n + 1}`, Environment: { Variables: { GORKIE_RELEASE: `release-${n + 1}` } } }));
  state({ functions: { 'gorkie-worker': { versions, last: 7, live: '7' }, 'gorkie-ingress': { versions, last: 7, live: '7' } } });

  await deploy(['secrets', 'functions'], { DAYTONA_API_KEY: 'dtn-next-secret' });

  assert.deepEqual(state().functions['gorkie-worker'].versions.map(({ Version }) => Version), ['4', '5', '6', '7', '8']);
});

test('a program for another machine or another runtime is not deployed', async () => {
  const said = async (config, zip) => {
    writeFileSync(join(folder, 'config.toml'), CONFIG.replace('[aws]', `[aws]\n${config}`));
    const { code, err } = await deploy(['build'], { ZIP: zip });
    return code === 0 ? 'deployed' : err.replaceAll(folder, '').trim();
  };
  const arm = zip('arm.zip', 'bootstrap', elf(0xb7));
  const jvm = zip('jvm.zip', 'lib/some.jar', Buffer.alloc(4));

  assert.equal(await said('', zip('intel.zip', 'bootstrap', elf(0x3e))), 'deployed');
  assert.equal(await said('architecture = "arm64"', arm), 'deployed');
  assert.equal(await said('runtime = "java25"', jvm), 'deployed');
  assert.match(await said('', arm), /^\/arm\.zip was built for arm64, and aws\.architecture is x86_64\./);
  assert.match(await said('', jvm), /^\/jvm\.zip holds no native program\./);
  assert.match(await said('runtime = "java25"', arm), /^\/arm\.zip holds the native program, and aws\.runtime is java25\./);
  assert.match(await said('', join(folder, 'none.zip')), /^There is no \/none\.zip\./);
});

test('what failed is handed to the worker once more as it came', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);
  const payloads = Array.from({ length: 12 }, (_, n) => ({ rawPath: '/internal/deliveries', body: `ü${n}` }));
  state({ queue: payloads.map((requestPayload, n) => ({ ReceiptHandle: `r${n}`, Body: JSON.stringify({ requestPayload }) })) });

  const { out } = await deploy(['redrive']);

  assert.match(out, /once more: 12/);
  assert.deepEqual(state().invoked.map(({ name, payload }) => [name, JSON.parse(payload)]), payloads.map((payload) => ['gorkie-worker:live', payload]));
  assert.deepEqual(state().queue, []);
});

test('nothing is removed without its name, and never the database', async () => {
  prepared();
  await deploy(['secrets', 'functions'], SECRETS);

  const unsure = await deploy(['undeploy']);
  const other = await deploy(['undeploy'], { SURE: 'gorkie-too' });
  assert.deepEqual([unsure.code, other.code], [2, 2]);
  assert.ok(state().stacks.gorkie);
  const sure = await deploy(['undeploy'], { SURE: 'gorkie' });

  assert.deepEqual(state().stacks, {});
  assert.match(sure.out, /the database with all conversations .* nothing was touched there/);
  assert.equal(Object.keys(state().parameters).length, Object.keys(SECRETS).length);
  assert.equal((await deploy(['undeploy'])).code, 0);
});

test('without a token for it, the Slack app is made by hand, with a manifest that is filled in', async () => {
  const { code, out } = await deploy(['app']);

  assert.equal(code, 0);
  const manifest = JSON.parse(decodeURIComponent(out.match(/manifest_json=(\S+)/)[1]));
  assert.equal(manifest.display_information.name, 'Gorkie');
  assert.ok(manifest.oauth_config.scopes.bot.includes('chat:write'));
  assert.doesNotMatch(JSON.stringify(manifest), /example\.com/);
});

test('with a token for it, the Slack app is made once, and told its address when there is one', async () => {
  const slack = await slackThat({
    'apps.manifest.create': () => ({ ok: true, app_id: 'A1', credentials: { client_id: '1.2', client_secret: 'c', signing_secret: 'made' } }),
    'apps.manifest.update': () => ({ ok: true, app_id: 'A1', permissions_updated: true }),
  });
  writeFileSync(join(folder, 'config.toml'), CONFIG.replace('[slack]', `[slack]\napi_url = "${slack.url}"`));
  prepared();
  const { SLACK_SIGNING_SECRET, ...others } = SECRETS;
  const token = { SLACK_CONFIG_TOKEN: 'xoxe-token' };
  try {
    const first = await deploy(['app', 'secrets', 'functions', 'slack'], { ...others, ...token });
    const second = await deploy(['app', 'slack'], token);

    assert.equal(first.code, 0, first.err);
    assert.deepEqual(slack.calls.map(({ method }) => method), ['apps.manifest.create', 'apps.manifest.update']);
    assert.equal(state().parameters['/gorkie/SLACK_SIGNING_SECRET'].Value, 'made');
    const { manifest, app_id: id } = slack.calls[1].fields;
    assert.equal(id, 'A1');
    assert.equal(JSON.parse(manifest).settings.event_subscriptions.request_url, 'https://abc.execute-api.example.com/slack/events');
    assert.doesNotMatch(manifest, /gorkie\.example\.com/);
    assert.match(first.out, /A1\/install-on-team – install it again/);
    assert.match(second.out, /Slack app A1 is up to date\./);
    const kept = readFileSync(join(folder, 'config.toml'), 'utf8');
    assert.match(kept, /^# the operator's own words\n/);
    assert.match(kept, /\[slack\]\nmanifest = "[0-9a-f]{16}"\napp = "A1"\napi_url = /);
  } finally {
    slack.close();
  }
});

test('the app of a server is made first and told its address when the server is there', async () => {
  const slack = await slackThat({
    'apps.manifest.create': () => ({ ok: true, app_id: 'A1', credentials: { signing_secret: 'made' } }),
    'apps.manifest.update': () => ({ ok: true, app_id: 'A1', permissions_updated: false }),
  });
  const app = join(folder, 'slack-app.env');
  const env = { URL: 'https://gorkie.example.org', SLACK_API_URL: slack.url, SLACK_CONFIG_TOKEN: 'xoxe-token', GORKIE_APP: app };
  try {
    const wrong = await deploy(['slack-app'], { ...env, URL: 'gorkie.example.org' });
    const first = await deploy(['slack-app'], env);
    const second = await deploy(['slack-app'], env);

    assert.match(wrong.err, /^URL is not what it should be\. Expected: /);
    assert.match(first.out, /A1\/install-on-team, and copy the bot token/);
    assert.equal(readFileSync(app, 'utf8'), 'SLACK_APP=A1\nSLACK_SIGNING_SECRET=made\n');
    assert.equal(statSync(app).mode & 0o077, 0);
    assert.match(second.out, /Slack app A1 calls https:\/\/gorkie\.example\.org now\./);
    assert.equal(slack.calls.length, 2);
  } finally {
    slack.close();
  }
});

test('what Slack does not like about a manifest is told with its place', async () => {
  const slack = await slackThat({
    'apps.manifest.create': () => ({ ok: false, error: 'invalid_manifest', errors: [{ message: 'Too long', pointer: '/display_information/name' }] }),
  });
  writeFileSync(join(folder, 'config.toml'), CONFIG.replace('[slack]', `[slack]\napi_url = "${slack.url}"`));
  try {
    const { code, err } = await deploy(['app'], { SLACK_CONFIG_TOKEN: 'xoxe-token' });

    assert.equal(code, 2);
    assert.equal(err.trim(), 'Slack refused apps.manifest.create: invalid_manifest; /display_information/name: Too long');
  } finally {
    slack.close();
  }
});

/** Runs the program; nobody is there to be asked. */
function deploy(words, env = {}) {
  const child = spawn(process.execPath, [join(PROGRAM, 'deploy', 'deploy.mjs'), ...words], {
    env: { ...clean(), PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, WORLD: folder, GORKIE_CONFIG: join(folder, 'config.toml'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => (texts.out += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (texts.err += part));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
}

/** What tells the tests' own machine apart is not for the program. */
function clean() {
  const names = ['HOME', 'XDG_CACHE_HOME', 'npm_config_registry', 'NPM_CONFIG_USERCONFIG'];
  return Object.fromEntries(names.filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
}

function executable(name, text) {
  writeFileSync(join(folder, 'bin', name), text);
  chmodSync(join(folder, 'bin', name), 0o755);
}

/** What the stand-in knows; changed where something is given. */
function state(change) {
  const file = join(folder, 'state.json');
  const usual = { parameters: {}, stacks: {}, functions: {}, queue: [], invoked: [], unreserved: 1000 };
  const now = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : usual;
  if (change) {
    writeFileSync(file, JSON.stringify({ ...now, ...change }));
  }
  return now;
}

function live() {
  return ['gorkie-ingress', 'gorkie-worker'].map((name) => state().functions[name].live);
}

function asked() {
  return readFileSync(join(folder, 'asked'), 'utf8');
}

/** There is something to deploy. */
function prepared() {
  mkdirSync(dirname(CODE), { recursive: true });
  writeFileSync(CODE, 'the program');
}

/** The beginning of a program for a machine. */
function elf(machine) {
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 'latin1');
  head.writeUInt16LE(machine, 18);
  return head;
}

/** A zip with one file in it, which is not packed. */
function zip(file, name, content) {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt32LE(content.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + content.length, 16);
  const path = join(folder, file);
  writeFileSync(path, Buffer.concat([local, Buffer.from(name), content, entry, Buffer.from(name), end]));
  return path;
}

/** A Slack that answers these methods and keeps what it was asked. */
async function slackThat(methods) {
  const calls = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    request.on('end', () => {
      const method = request.url.slice('/api/'.length);
      calls.push({ method, fields: Object.fromEntries(new URLSearchParams(body)) });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(methods[method]()));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { calls, url: `http://127.0.0.1:${server.address().port}/api/`, close: () => server.close() };
}
