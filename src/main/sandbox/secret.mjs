// Puts a key into a secret at Daytona, which gives it out to the hosts alone that are named with it, or the next key into the same.
//
//   node src/main/sandbox/secret.mjs     the model's key: makes the secret, or changes its value, and prints its name
//   SECRET_NAME=… SECRET_HOSTS=a,b SECRET_VALUE=… node src/main/sandbox/secret.mjs      the same of another key

import { account, stop } from './daytona.mjs';

const NAME = 'gorkie-model-key';
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** The key for the model's provider, for its host alone. */
function ofTheModel() {
  const { MODEL_API_KEY: value, MODEL_BASE_URL: model, DAYTONA_SECRET: name = NAME } = process.env;
  if (!value) {
    stop(2, "MODEL_API_KEY is not set: it is the key for the model's provider, which is to go into the secret.");
  }
  if (!/^https?:\/\/[^/]/.test(model ?? '')) {
    stop(2, 'MODEL_BASE_URL is not what it should be: the base URL of an OpenAI-compatible API, the only host that is to get the key.');
  }
  return {
    name,
    setting: 'DAYTONA_SECRET',
    value,
    hosts: [new URL(model).hostname],
    description: 'The key with which Gorkie asks the model. “make secret” made it and changes it.',
    todo: `Set DAYTONA_SECRET=${name}, and leave MODEL_API_KEY unset where Gorkie runs.`,
    without: 'Leave DAYTONA_SECRET unset; the key is then handed to each sandbox when Pi starts.',
  };
}

/** A key that an operator lets sandboxes use. */
function another() {
  const { SECRET_NAME: name, SECRET_HOSTS, SECRET_VALUE: value } = process.env;
  const hosts = (SECRET_HOSTS ?? '').split(',').filter(Boolean);
  if (!value) {
    stop(2, 'SECRET_VALUE is not set: it is the key that is to go into the secret. Export it; an argument is seen by others.');
  }
  if (hosts.length === 0 || !hosts.every((host) => HOST.test(host))) {
    stop(2, 'HOSTS is not what it should be: the hosts that are to get the key, such as api.github.com, with commas between them.');
  }
  return {
    name,
    setting: 'NAME',
    value,
    hosts,
    description: 'A key that Gorkie’s sandboxes may use. “make secret” made it and changes it.',
    todo: `Set DAYTONA_SECRETS=<VARIABLE>=${name} where Gorkie runs, behind what is there with a comma.`,
    without: 'Leave DAYTONA_SECRETS unset.',
  };
}

async function main() {
  const { name, setting, value, hosts, description, todo, without } = process.env.SECRET_NAME ? another() : ofTheModel();
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    stop(2, `${setting} is not what it should be: a name of letters, digits, - and _.`);
  }
  const { call } = account('to manage secrets');

  const found = await call('GET', `/secret/paginated?name=${name}&limit=200`);
  if (found === null) {
    stop(1, `This Daytona has no secrets. ${without}`);
  }
  const secret = found.items.find((one) => one.name === name);
  if (secret) {
    await call('PATCH', `/secret/${secret.id}`, { value, hosts });
    console.log(`Secret ${name} has the new value; sandboxes that run use it within seconds.`);
  } else {
    await call('POST', '/secret', { name, value, description, hosts });
    console.log(`Secret ${name} exists now. ${todo}`);
  }
  console.log(`Only ${hosts.join(', ')} gets it.`);
}

await main();
