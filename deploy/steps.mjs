// What deploying consists of. Each step may be done alone and any number of times: it looks what is there and does what is missing.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputs, prune, published, redrive, releaseBefore, remove, shift, status, waiting } from './aws.mjs';
import { createApp, deepLink, fingerprint, manifest, manifestWithoutAddresses, tryOut, updateApp } from './slack.mjs';
import { snapshotName } from '../src/main/sandbox/snapshot.mjs';
import { TEMPLATE } from './template.mjs';
import { Complaint, run } from './tools.mjs';
import { checkZip } from './zip.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MANIFEST = join(ROOT, 'deploy', 'slack-manifest.yaml');
// Where the template says that the program is.
const CODE = join(ROOT, 'target', 'deploy', 'function.zip');
const BUILT = { 'provided.al2023': ['native', 'target-lambda-native/function.zip'], java25: ['lambda', 'target-lambda/function.zip'] };
// As make calls what AWS calls x86_64.
const MACHINE = { x86_64: 'x86-64', arm64: 'arm64' };
// What Lambda leaves to functions without a reserve of their own.
const UNRESERVED_MIN = 100;
// So CloudFormation leaves a stack of which nothing came: nothing of it works, and it can only be removed.
const CAME_TO_NOTHING = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** In this order. */
export const STEPS = { check, app, secrets, build, snapshot, migrate, functions, slack, doctor, message };

/** What is there to work with, and room for what has to be: tools, an account, settings. */
async function check({ aws, settings, say }) {
  await run('sam', ['--version']);
  await run('make', ['--version']);
  const [identity, account] = await Promise.all([aws(['sts', 'get-caller-identity']), aws(['lambda', 'get-account-settings'])]);
  const reserve = Number(settings.get('aws.worker_concurrency'));
  const { Worker: worker } = await outputs(aws, settings.get('aws.stack'));
  const { ReservedConcurrentExecutions: ours = 0 } = worker ? await aws(['lambda', 'get-function-concurrency', '--function-name', worker]) : {};
  const free = account.AccountLimit.UnreservedConcurrentExecutions + ours;
  if (reserve > ours && free - reserve < UNRESERVED_MIN) {
    throw new Complaint(
      `This account may run ${account.AccountLimit.ConcurrentExecutions} functions at once, of which ${free} are not reserved; ${UNRESERVED_MIN} have to stay so.` +
        ` Ask for more under “Service Quotas”, or set aws.worker_concurrency to 0: then nothing caps the workers but the account.`,
    );
  }
  say(`AWS account ${identity.Account} in ${settings.get('aws.region')}, stack ${settings.get('aws.stack')}`);
}

/** A Slack app: made once. Its signing secret goes where the secrets are; its address comes when there is one. */
async function app(ground) {
  const { settings, store, say } = ground;
  if (settings.get('slack.app') || process.env.SLACK_SIGNING_SECRET || (await store.has('SLACK_SIGNING_SECRET'))) {
    say(`Slack app ${settings.get('slack.app') || 'of your own'}`);
    return;
  }
  const first = manifestWithoutAddresses(MANIFEST);
  const token = await ground.configurationToken();
  if (!token) {
    say(`Make the app here, with the manifest that is filled in: ${deepLink(first)}`);
    say('Then write its id down as slack.app; its signing secret and its token are asked for next.');
    return;
  }
  const made = await createApp(settings.get('slack.api_url'), token, first);
  settings.keep('slack.app', made.id);
  await store.put('SLACK_SIGNING_SECRET', made.signing_secret);
  if (settings.hasManyWorkspaces) {
    settings.keep('slack.client_id', made.client_id);
    await store.put('SLACK_CLIENT_SECRET', made.client_secret);
  }
  say(`Slack app ${made.id} was made.`);
  if (!settings.hasManyWorkspaces) {
    say(`Install it: https://api.slack.com/apps/${made.id}/install-on-team, and copy the bot token from there.`);
  }
}

async function secrets({ store, say }) {
  const changed = await store.complete();
  say(changed.length > 0 ? `Put into SSM: ${changed.join(', ')}` : 'All are in SSM.');
}

/** The program, as a zip for all functions. `ZIP` names one that was built elsewhere. */
async function build({ settings, say }) {
  const runtime = settings.get('aws.runtime');
  const [target, usual] = BUILT[runtime];
  const zip = process.env.ZIP || join(ROOT, usual);
  if (!process.env.ZIP) {
    await run('make', ['-C', ROOT, target, `ARCH=${MACHINE[settings.get('aws.architecture')]}`], { show: true });
  }
  if (!existsSync(zip)) {
    throw new Complaint(`There is no ${zip}. Expected: the functions' zip; ZIP=… names another one.`);
  }
  checkZip(zip, { runtime, architecture: settings.get('aws.architecture') });
  mkdirSync(dirname(CODE), { recursive: true });
  copyFileSync(zip, CODE);
  say(`${zip}, ${(readFileSync(zip).length / 1e6).toFixed(1)} MB`);
}

/** The sandboxes' image at Daytona, unless it is there under the name that follows from its content. */
async function snapshot(ground) {
  await run('node', [join(ROOT, 'src', 'main', 'sandbox', 'snapshot.mjs')], { show: true, env: await environment(ground) });
}

/** Before the functions: the version that runs works with newer tables, a newer one not with older ones. */
async function migrate(ground) {
  if (ground.settings.get('database.migrate') === 'false') {
    ground.say('The tables are brought up to date where the database can be reached: DATABASE_URL=… make migrate. Do so before you go on.');
    return;
  }
  await run('make', ['-s', '-C', ROOT, 'migrate'], { show: true, env: await environment(ground) });
}

/** Both functions and what is around them, and the alias on this release, also where it stood on another. */
async function functions({ settings, aws, store, say }) {
  if (!existsSync(CODE)) {
    throw new Complaint(`There is no ${CODE}. “make deploy STEP=build” puts it there.`);
  }
  await store.read();
  if (settings.hasManyWorkspaces && !settings.get('slack.client_id')) {
    throw new Complaint("slack.client_id is missing. Expected: the Slack app's client id, since slack.many_workspaces is true.");
  }
  const stack = settings.get('aws.stack');
  const made = { SecretsPath: settings.secretsPath, DaytonaSnapshot: snapshotName() };
  const release = named([readFileSync(CODE), readFileSync(TEMPLATE), JSON.stringify(settings.parameters(made)), ...(await store.versions())]);
  const parameters = settings.parameters({ ...made, Release: release });
  if (CAME_TO_NOTHING.includes(await status(aws, stack))) {
    say(`Stack ${stack} came to nothing when it was made; what is left of it is removed first.`);
    await remove(aws, stack);
  }
  await run(
    'sam',
    [
      'deploy',
      ...['--template-file', TEMPLATE, '--stack-name', stack, '--region', settings.get('aws.region'), '--s3-prefix', stack, '--resolve-s3'],
      ...['--capabilities', 'CAPABILITY_IAM', 'CAPABILITY_AUTO_EXPAND'],
      ...['--no-confirm-changeset', '--no-fail-on-empty-changeset', '--no-progressbar'],
      ...['--parameter-overrides', ...Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)],
    ],
    { show: true },
  );
  const functions = await published(aws, stack, settings.hasApi);
  for (const change of await shift(aws, functions, release)) {
    say(`Live: ${change}`);
  }
  const removed = await prune(aws, functions);
  const { Url, ProgramsUrl } = await outputs(aws, stack);
  say(`Release ${release} is live at ${Url}${removed > 0 ? `; versions removed: ${removed}` : ''}`);
  if (ProgramsUrl) {
    say(`Programs call ${ProgramsUrl}`);
  }
}

/** The Slack app with the address it is to call; only where that, or the manifest, is another than last time. */
async function slack(ground) {
  const { settings, say } = ground;
  const { Url: url } = await deployed(ground);
  const id = settings.get('slack.app');
  const whole = manifest(MANIFEST, url);
  if (settings.get('slack.manifest') === fingerprint(whole)) {
    say(`Slack app ${id} is up to date.`);
    return;
  }
  const token = id && (await ground.configurationToken());
  if (!token) {
    say(`Put this manifest into your app${id ? ` at https://api.slack.com/apps/${id}/app-manifest` : ''}:`);
    say(JSON.stringify(whole));
    return;
  }
  const asksForOthers = await updateApp(settings.get('slack.api_url'), token, id, whole);
  settings.keep('slack.manifest', fingerprint(whole));
  tellClicks(say, id, url, asksForOthers);
  if (settings.hasManyWorkspaces) {
    say(`  https://api.slack.com/apps/${id}/distribute – “Activate Public Distribution”; then each workspace opens ${url}/slack/install`);
  }
}

async function doctor(ground) {
  await run('make', ['-s', '-C', ROOT, 'doctor'], { show: true, env: await environment(ground) });
}

/** The last step is the first message. */
async function message(ground) {
  const { settings, store, say } = ground;
  const { Url: url, Release: release } = await deployed(ground);
  if (settings.hasManyWorkspaces) {
    say(`Open ${url}/slack/install, and write to Gorkie.`);
    return;
  }
  if (settings.get('gorkie.enabled') === 'false') {
    say('Gorkie is switched off (gorkie.enabled): nobody is asked.');
    return;
  }
  const { SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret } = await store.read();
  const seconds = await tryOut({
    ...{ api: settings.get('slack.api_url'), botToken, signingSecret, url, release },
    ...{ app: settings.get('slack.app') || 'A0', user: settings.get('slack.test_user'), asksFirst: settings.get('gorkie.permissions') !== 'bypass' },
  });
  say(`The test message was answered after ${seconds} s.`);
}

/** The Slack app of a server of one's own: made at the first call, told its address at the next, when there is somebody there to prove it. */
export async function appOfServer(url, { file, api = 'https://slack.com/api/', configurationToken, say }) {
  if (!/^https?:\/\/[^/]+\/?$/.test(url)) {
    throw new Complaint('URL is not what it should be. Expected: where Slack reaches your Gorkie, such as https://gorkie.example.org.');
  }
  const id = existsSync(file) ? readFileSync(file, 'utf8').match(/^SLACK_APP=(A\w+)$/m)?.[1] : undefined;
  const whole = manifest(MANIFEST, url);
  const token = await configurationToken();
  if (!token) {
    say(`Make the app here, with the manifest that is filled in: ${deepLink(whole)}`);
    return;
  }
  if (id) {
    tellClicks(say, id, url, await updateApp(api, token, id, whole));
    return;
  }
  const made = await createApp(api, token, manifestWithoutAddresses(MANIFEST));
  const lines = [`SLACK_APP=${made.id}`, `SLACK_SIGNING_SECRET=${made.signing_secret}`];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  say(`Slack app ${made.id} was made; its signing secret is in ${file}.`);
  say(`Install it: https://api.slack.com/apps/${made.id}/install-on-team, and copy the bot token from there.`);
  say('Then start Gorkie with both, and call this again: the app is told the address.');
}

function tellClicks(say, id, url, asksForOthers) {
  say(`Slack app ${id} calls ${url} now. What is left to click:`);
  if (asksForOthers) {
    say(`  https://api.slack.com/apps/${id}/install-on-team – install it again: it asks for other rights than before`);
  }
  say(`  https://api.slack.com/apps/${id}/event-subscriptions – “Retry”, should it say there that the address is not verified`);
  say(`  https://api.slack.com/apps/${id}/general – a picture, if you like`);
}

/** Back to the release before, or to one that is named; forward again by the step functions. */
export async function rollback({ settings, aws, say }) {
  const stack = settings.get('aws.stack');
  const functions = await published(aws, stack, settings.hasApi);
  const release = process.env.RELEASE || releaseBefore(functions);
  const changed = await shift(aws, functions, release);
  changed.forEach((change) => say(`Live: ${change}`));
  say(`Release ${release} is live${changed.length === 0 ? ' already' : ''}. What is at work goes on where it is. “make deploy STEP=functions” goes forward again.`);
}

export async function redriveAll(ground) {
  const { FailureQueueUrl } = await deployed(ground);
  ground.say(`Deliveries handed to the worker once more: ${await redrive(ground.aws, ground.settings.get('aws.stack'), FailureQueueUrl)}`);
}

/** Everything at AWS but the secrets. What people said and what it cost stays where it is. */
export async function undeploy(ground) {
  const { settings, aws, store, say } = ground;
  const stack = settings.get('aws.stack');
  if (await status(aws, stack)) {
    const { FailureQueueUrl } = await outputs(aws, stack);
    const lost = FailureQueueUrl ? await waiting(aws, FailureQueueUrl) : 0;
    const sure = process.env.SURE || (await ground.ask(`Stack ${stack} is removed, and ${lost} deliveries that wait in its failure queue. Type its name: `));
    if (sure?.trim() !== stack) {
      throw new Complaint(`Nothing was removed. Expected: the name of the stack, ${stack}, as an answer or as SURE=${stack}.`);
    }
    await remove(aws, stack);
    say(`Stack ${stack} is removed: functions, address, queue, logs, alarms.`);
  } else {
    say(`There is no stack ${stack}.`);
  }
  say('What is left, and what removes it:');
  say('  the database with all conversations – your own tools; nothing was touched there');
  say(`  the secrets – ${store.removal()}`);
  say(`  what was uploaded – in the bucket that sam keeps for all its stacks, under ${stack}/`);
  say('  sandboxes and snapshots at Daytona – sandboxes end two days after their last use; snapshots on its page');
  say(`  the Slack app – https://api.slack.com/apps/${settings.get('slack.app')}/general, “Delete App”`);
}

async function deployed({ settings, aws }) {
  const told = await outputs(aws, settings.get('aws.stack'));
  if (!told.Url) {
    throw new Complaint(`There is no stack ${settings.get('aws.stack')}. “make deploy STEP=functions” makes it.`);
  }
  return told;
}

/** What the program and the operator's own commands are told where they run on this machine. */
async function environment({ settings, store }) {
  const made = { SecretsPath: settings.secretsPath, DaytonaSnapshot: snapshotName(), Release: '' };
  return { ...process.env, ...settings.environment(made), ...(await store.read()) };
}

function named(parts) {
  const hash = createHash('sha256');
  parts.forEach((part) => hash.update(part).update('\0'));
  return hash.digest('hex').slice(0, 12);
}
