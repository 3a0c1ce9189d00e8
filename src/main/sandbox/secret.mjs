// Puts the model's key into a secret at Daytona, which gives it out to the model's host alone, or the next key into the same.
//
//   node src/main/sandbox/secret.mjs              makes the secret, or changes its value, and prints its name

import { account, stop } from './daytona.mjs';

const NAME = 'gorkie-model-key';

async function main() {
  const { MODEL_API_KEY: value, MODEL_BASE_URL: model, DAYTONA_SECRET: name = NAME } = process.env;
  if (!value) {
    stop(2, "MODEL_API_KEY is not set: it is the key for the model's provider, which is to go into the secret.");
  }
  if (!/^https?:\/\/[^/]/.test(model ?? '')) {
    stop(2, 'MODEL_BASE_URL is not what it should be: the base URL of an OpenAI-compatible API, the only host that is to get the key.');
  }
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    stop(2, 'DAYTONA_SECRET is not what it should be: a name of letters, digits, - and _.');
  }
  const { call } = account('to manage secrets');
  const hosts = [new URL(model).hostname];
  const description = 'The key with which Gorkie asks the model. “make secret” made it and changes it.';

  const found = await call('GET', `/secret/paginated?name=${name}&limit=200`);
  if (found === null) {
    stop(1, 'This Daytona has no secrets. Leave DAYTONA_SECRET unset; the key is then handed to each sandbox when Pi starts.');
  }
  const secret = found.items.find((one) => one.name === name);
  if (secret) {
    await call('PATCH', `/secret/${secret.id}`, { value, hosts });
    console.log(`Secret ${name} has the new value; sandboxes that run use it within seconds.`);
  } else {
    await call('POST', '/secret', { name, value, description, hosts });
    console.log(`Secret ${name} exists now. Set DAYTONA_SECRET=${name}, and leave MODEL_API_KEY unset where Gorkie runs.`);
  }
  console.log(`Only ${hosts[0]} gets it.`);
}

await main();
