// What nobody but the functions may know: SecureStrings in SSM, named as the program's settings.

import { randomBytes } from 'node:crypto';
import { Complaint } from './tools.mjs';

const one = (settings) => !settings.hasManyWorkspaces;
const many = (settings) => settings.hasManyWorkspaces;

const SECRETS = [
  { name: 'SLACK_SIGNING_SECRET', expected: "the signing secret from the Slack app's page “Basic Information”", fits: /^\S+$/ },
  {
    name: 'SLACK_BOT_TOKEN',
    expected: "the bot token from the Slack app's page “OAuth & Permissions”; it begins with xoxb-",
    fits: /^xoxb-\S+$/,
    if: one,
  },
  { name: 'SLACK_CLIENT_SECRET', expected: "the client secret from the Slack app's page “Basic Information”", fits: /^\S+$/, if: many },
  {
    name: 'GORKIE_TOKEN_KEY',
    expected: '32 random bytes as Base64, which “openssl rand -base64 32” prints, or such a key as KMS has sealed it, behind kms:',
    fits: /^((kms:)?[A-Za-z0-9+/=]{44,})(,(kms:)?[A-Za-z0-9+/=]{44,})*$/,
    if: (settings) => many(settings) || settings.hasApi,
    // Nobody has it from anywhere. Where there is a key at KMS nobody but the worker ever sees it, not even this program.
    made: async (settings, aws) => {
      const key = settings.get('aws.secrets_key_arn');
      if (!key) {
        return randomBytes(32).toString('base64');
      }
      const sealed = ['generate-data-key-without-plaintext', '--key-id', key, '--number-of-bytes', '32', '--encryption-context', 'gorkie=token-key'];
      return `kms:${(await aws(['kms', ...sealed])).CiphertextBlob}`;
    },
  },
  {
    name: 'GORKIE_WEBHOOK_SECRET',
    expected: 'at least 16 characters, which the program at gorkie.webhook_url knows, too',
    fits: /^\S{16,}$/,
    if: (settings) => Boolean(settings.get('gorkie.webhook_url')),
    made: () => randomBytes(24).toString('base64url'),
  },
  { name: 'DAYTONA_API_KEY', expected: 'an API key of the Daytona organization, with the rights to write and delete sandboxes and snapshots', fits: /^\S+$/ },
  { name: 'DATABASE_URL', expected: 'where PostgreSQL is: postgresql://user:password@host:5432/name', fits: /^(jdbc:)?postgres(ql)?:\/\/\S+\/\S+$/ },
  {
    name: 'MODEL_API_KEY',
    expected: "the key for the model's provider; leave it out by keeping it at Daytona (“make secret”, then daytona.secret in the settings)",
    fits: /^\S+$/,
    if: (settings) => settings.get('daytona.secret') === '',
  },
];

export class Secrets {
  #settings;
  #aws;
  #ask;
  #known;

  /** `ask`: puts a question whose answer nobody sees. */
  constructor(settings, aws, ask) {
    this.#settings = settings;
    this.#aws = aws;
    this.#ask = ask;
  }

  get #needed() {
    return SECRETS.filter((secret) => secret.if?.(this.#settings) ?? true);
  }

  /** Those that the environment has are put into SSM, and so is what is asked for because it is nowhere. */
  async complete() {
    const there = await this.#stored();
    const changed = [];
    for (const secret of this.#needed) {
      const given = process.env[secret.name];
      if (given ? there.get(secret.name)?.value === given : there.has(secret.name)) {
        continue;
      }
      const value = given || (await secret.made?.(this.#settings, this.#aws)) || (await this.#ask(`${secret.name}, ${secret.expected}: `))?.trim();
      if (!value) {
        throw new Complaint(`${secret.name} is missing. Expected: ${secret.expected}; in the environment, or in SSM as ${this.#path(secret.name)}.`);
      }
      if (!secret.fits.test(value)) {
        throw new Complaint(`${secret.name} is not what it should be. Expected: ${secret.expected}.`);
      }
      await this.put(secret.name, value);
      changed.push(secret.name);
    }
    return changed;
  }

  async put(name, value) {
    const key = this.#settings.get('aws.secrets_key_arn');
    const parameter = ['--name', this.#path(name), '--type', 'SecureString', '--overwrite', ...(key ? ['--key-id', key] : [])];
    await this.#aws(['ssm', 'put-parameter', ...parameter, '--value', 'file:///dev/stdin'], { input: value });
    this.#known = undefined;
  }

  /** By name; those that are missing are complained of. */
  async read() {
    const stored = await this.#stored();
    const missing = this.#needed.filter(({ name }) => !stored.has(name));
    if (missing.length > 0) {
      throw new Complaint(`SSM has no ${missing.map(({ name }) => this.#path(name)).join(', ')}. “make deploy STEP=secrets” puts them there.`);
    }
    return Object.fromEntries([...stored].map(([name, { value }]) => [name, value]));
  }

  /** Which of them are there, without complaint. */
  async has(name) {
    return (await this.#stored()).has(name);
  }

  /** Changes when any of them does, and tells nothing. */
  async versions() {
    return [...(await this.#stored())].map(([name, { version }]) => `${name}:${version}`).sort();
  }

  async #stored() {
    return (this.#known ??= await this.#look());
  }

  async #look() {
    const names = this.#needed.map(({ name }) => this.#path(name));
    const { Parameters } = await this.#aws(['ssm', 'get-parameters', '--with-decryption', '--names', ...names]);
    return new Map(Parameters.map(({ Name, Value, Version }) => [Name.slice(this.#settings.secretsPath.length + 1), { value: Value, version: Version }]));
  }

  #path(name) {
    return `${this.#settings.secretsPath}/${name}`;
  }

  /** How they are removed. */
  removal() {
    return `aws ssm delete-parameters --region ${this.#settings.get('aws.region')} --names ${SECRETS.map(({ name }) => this.#path(name)).join(' ')}`;
  }
}
