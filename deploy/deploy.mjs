// Brings Gorkie to AWS, and back:
//
//   node deploy/deploy.mjs                    all steps
//   node deploy/deploy.mjs functions slack    these steps
//   node deploy/deploy.mjs rollback           the release before, or RELEASE=…
//   node deploy/deploy.mjs redrive            what waits in the failure queue, once more
//   node deploy/deploy.mjs undeploy           removes what is at AWS
//   node deploy/deploy.mjs slack-app          makes the Slack app or changes it; URL=… is where a server of your own is
//
// What it has to know is in deploy/config.toml, or is asked for and written down there; secrets are asked for and put into SSM.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const NODE_MIN = 18;
const WRONG_USAGE = 2;

async function main(words) {
  if (Number(process.versions.node.split('.')[0]) < NODE_MIN) {
    stop(`Node ${process.versions.node} is too old. Expected: ${NODE_MIN} or newer.`);
  }
  const { Complaint } = await import('./tools.mjs');
  try {
    await work(words);
  } catch (error) {
    if (error instanceof Complaint) {
      stop(error.message);
    }
    throw error;
  }
}

async function work(words) {
  const [{ STEPS, appOfServer, redriveAll, rollback, undeploy }, { Settings }, { Secrets }, { awsIn }, { Complaint }] = await Promise.all(
    ['./steps.mjs', './settings.mjs', './secrets.mjs', './aws.mjs', './tools.mjs'].map((module) => import(module)),
  );
  const others = { rollback, redrive: redriveAll, undeploy };
  const wanted = words.flatMap((word) => (word === 'slack-app' ? ['app', 'slack'] : word.split(/[\s,]+/))).filter(Boolean);
  const unknown = wanted.filter((word) => !(word in STEPS) && !(word in others));
  if (unknown.length > 0) {
    throw new Complaint(`${unknown.join(', ')} is no step. Expected: ${Object.keys(STEPS).join(', ')}.`);
  }
  const say = (line) => console.log(`  ${line}`);
  if (words.includes('slack-app') && process.env.URL) {
    await appOfServer(process.env.URL, { file: process.env.GORKIE_APP || beside('slack-app.env'), api: process.env.SLACK_API_URL, configurationToken, say });
    return;
  }
  const settings = new Settings(process.env.GORKIE_CONFIG || beside('config.toml'), ask);
  const steps = wanted.length > 0 ? wanted : Object.keys(STEPS);
  if (steps.some((name) => name in STEPS)) {
    settings.checkTogether();
  }
  await settings.complete();
  const aws = awsIn(settings.get('aws.region'));
  const ground = { settings, aws, store: new Secrets(settings, aws, askHidden), ask, configurationToken, say };
  for (const name of steps) {
    console.log(name);
    await (STEPS[name] ?? others[name])(ground);
  }
}

/** Good for twelve hours; so it is asked for where it is needed and kept nowhere. */
async function configurationToken() {
  return (
    process.env.SLACK_CONFIG_TOKEN ||
    (await askHidden('A configuration token from https://api.slack.com/apps, at its end (empty: make or change the app by hand): '))?.trim()
  );
}

function beside(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

function ask(question) {
  return answer(question, process.stdout);
}

function askHidden(question) {
  if (process.stdin.isTTY) {
    process.stdout.write(question);
  }
  return answer('', new Writable({ write: (_, __, done) => done() })).finally(() => process.stdin.isTTY && process.stdout.write('\n'));
}

/** Nothing where nobody can be asked. */
async function answer(question, output) {
  if (!process.stdin.isTTY) {
    return undefined;
  }
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}

function stop(sentence) {
  console.error(sentence);
  process.exit(WRONG_USAGE);
}

await main(process.argv.slice(2));
