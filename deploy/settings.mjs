// What an operator chooses: deploy/config.toml, read, checked, and asked for where it does not say.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { library } from './libraries.mjs';
import { parameters, told, toldBytes } from './template.mjs';
import { Complaint } from './tools.mjs';

/** Where in the file each parameter of the template stands. The template says what it is, what is allowed and what is usual. */
const PLACES = {
  'aws.runtime': 'Runtime',
  'aws.architecture': 'Architecture',
  'aws.secrets_key_arn': 'SecretsKeyArn',
  'aws.worker_concurrency': 'WorkerConcurrency',
  'aws.worker_memory': 'WorkerMemory',
  'aws.ingress_memory': 'IngressMemory',
  'aws.subnets': 'Subnets',
  'aws.security_groups': 'SecurityGroups',
  'aws.log_days': 'LogDays',
  'aws.alarm_email': 'AlarmEmail',
  'aws.spend_alarm': 'SpendAlarm',
  'aws.sandboxes_alarm': 'SandboxesAlarm',
  'aws.dashboard': 'Dashboard',
  'gorkie.enabled': 'Enabled',
  'gorkie.url': 'Url',
  'gorkie.permissions': 'Permissions',
  'gorkie.admins': 'Admins',
  'gorkie.strangers': 'Strangers',
  'gorkie.guests': 'Guests',
  'gorkie.people_at_once': 'PeopleAtOnce',
  'gorkie.people_allowed': 'PeopleAllowed',
  'gorkie.people_denied': 'PeopleDenied',
  'gorkie.people_opt_in': 'PeopleOptIn',
  'gorkie.channels_allowed': 'ChannelsAllowed',
  'gorkie.channels_denied': 'ChannelsDenied',
  'gorkie.forget_after': 'ForgetAfter',
  'gorkie.programs_answered': 'ProgramsAnswered',
  'gorkie.programs_in_a_row': 'ProgramsInARow',
  'gorkie.programs_in_an_hour': 'ProgramsInAnHour',
  'gorkie.turns_at_once': 'TurnsAtOnce',
  'gorkie.while_running': 'WhileRunning',
  'gorkie.hops_max': 'HopsMax',
  'gorkie.leaves_before': 'LeavesBefore',
  'gorkie.api': 'SandboxApi',
  'gorkie.api_rate': 'ApiRate',
  'gorkie.spending_thread': 'SpendingThread',
  'gorkie.spending_person': 'SpendingPerson',
  'gorkie.spending_channel': 'SpendingChannel',
  'gorkie.spending_workspace': 'SpendingWorkspace',
  'slack.api_url': 'SlackApiUrl',
  'slack.client_id': 'SlackClientId',
  'daytona.api_url': 'DaytonaApiUrl',
  'daytona.target': 'DaytonaTarget',
  'daytona.network': 'DaytonaNetwork',
  'daytona.secret': 'DaytonaSecret',
  'daytona.secrets': 'DaytonaSecrets',
  'gorkie.webhook_url': 'WebhookUrl',
  'model.base_url': 'ModelBaseUrl',
  'model.id': 'ModelId',
  'model.allowed': 'ModelAllowed',
  'model.sees': 'ModelSees',
  'model.run_limit': 'RunLimit',
  'model.run_limits': 'RunLimits',
};

/** What is no parameter. `usual`: what it is where nobody says; without it, it is asked for. */
const OTHERS = {
  'aws.region': { Description: 'The region of AWS to deploy to, such as eu-central-1', AllowedPattern: '[a-z]{2}(-[a-z]+)+-[0-9]' },
  'aws.stack': { Description: 'What all that is deployed is called', AllowedPattern: '[a-z][a-z0-9-]{0,39}', Default: 'gorkie' },
  'slack.many_workspaces': {
    Description: 'Whether workspaces let the app in by themselves, each with a token of its own',
    AllowedValues: ['true', 'false'],
    Default: 'false',
  },
  'slack.app': { Description: "The Slack app's id, which begins with A", AllowedPattern: '(A[A-Z0-9]+)?', Default: '' },
  'slack.test_user': {
    Description: 'Who gets the test message: your member ID in Slack (your profile, ⋮, “Copy member ID”)',
    AllowedPattern: '[UW][A-Z0-9]+',
    onlyIf: (settings) => settings.get('slack.many_workspaces') !== 'true',
  },
  'slack.manifest': { Description: 'What the app was last made of, which the program writes down itself', AllowedPattern: '[0-9a-f]*', Default: '' },
  'database.migrate': {
    Description: 'Whether the tables are brought up to date from this machine, which must reach the database then',
    AllowedValues: ['true', 'false'],
    Default: 'true',
  },
};

/** Given by what is deployed and not chosen. */
const MADE = ['Release', 'SecretsPath', 'DaytonaSnapshot'];

const RULES = new Map([
  ...Object.entries(OTHERS),
  ...Object.entries(PLACES).map(([key, parameter]) => [key, parameters[parameter]]),
]);

/** All that may stand in the file. */
export const KEYS = [...RULES.keys()];

// Whoever waits in line, takes in a stop, watches over the others, or is woken by the clock is a worker as well.
const BESIDE_TURNS = 10;
// Lambda takes 4,096 of names and values together; some of them, such as a queue's address, are longer when they are known.
const TOLD_BYTES_MAX = 4_096 - 256;

export class Settings {
  #file;
  #ask;
  #values;

  /** `ask`: puts a question to the operator and gives back the answer; nothing when nobody is there. */
  constructor(file, ask) {
    this.#file = file;
    this.#ask = ask;
    this.#values = existsSync(file) ? flat(parsed(file)) : new Map();
    const unknown = [...this.#values.keys()].filter((key) => !RULES.has(key));
    if (unknown.length > 0) {
      throw new Complaint(`${file} says ${unknown.join(', ')}, which means nothing. Expected: ${[...RULES.keys()].join(', ')}.`);
    }
    for (const [key, value] of this.#values) {
      check(key, value);
    }
  }

  /** What must fit together when something is deployed. Nobody is kept by it from going back to what ran before. */
  checkTogether() {
    this.#checkRoom();
    this.#checkLength();
    this.#checkNetwork();
  }

  /** As text; what is usual where nobody has chosen. */
  get(key) {
    return this.#values.get(key) ?? text(RULES.get(key).Default);
  }

  /** Asks for everything that must be said and is not, and keeps the answers. */
  async complete() {
    for (const [key, rule] of RULES) {
      if (rule.Default === undefined && !this.#values.has(key) && (rule.onlyIf?.(this) ?? true)) {
        const answer = ((await this.#ask(`${rule.Description.replace(/\.$/, '')}: `)) ?? '').trim();
        if (!answer) {
          throw new Complaint(`${this.#file} has no ${key}. Expected: ${expected(rule)}.`);
        }
        check(key, answer);
        this.keep(key, answer);
      }
    }
  }

  /** Writes one down, and leaves all else in the file as it is. */
  keep(key, value) {
    check(key, value);
    this.#values.set(key, value);
    const [section, name] = key.split('.');
    const line = `${name} = ${JSON.stringify(value)}`;
    const lines = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n') : [];
    const head = lines.findIndex((one) => one.trim() === `[${section}]`);
    if (head < 0) {
      lines.splice(lines.length - (lines.at(-1) === '' ? 1 : 0), 0, ...(lines.length > 1 ? [''] : []), `[${section}]`, line);
    } else {
      const after = lines.findIndex((one, at) => at > head && one.trim().startsWith('['));
      const end = after < 0 ? lines.length : after;
      const there = lines.findIndex((one, at) => at > head && at < end && new RegExp(`^\\s*${name}\\s*=`).test(one));
      lines.splice(there < 0 ? head + 1 : there, there < 0 ? 0 : 1, line);
    }
    writeFileSync(this.#file, `${lines.join('\n').trimEnd()}\n`, { mode: 0o600 });
  }

  /** The template's parameters, all of them: what a stack was told before counts where it is told nothing now. */
  parameters(made) {
    const chosen = Object.entries(PLACES).map(([key, parameter]) => [parameter, this.get(key)]);
    const all = Object.fromEntries([...chosen, ...MADE.map((name) => [name, made[name]])].sort());
    // By it the functions know that there are many.
    return this.hasManyWorkspaces ? all : { ...all, SlackClientId: '' };
  }

  /** What the program is told when it runs on this machine, as it is told where it is deployed; without secrets. */
  environment(made) {
    const values = this.parameters(made);
    const environment = told.map(([name, parameter]) => [name, values[parameter]]);
    return Object.fromEntries(environment.filter(([name, value]) => value && name !== 'GORKIE_RELEASE'));
  }

  get secretsPath() {
    return `/${this.get('aws.stack')}`;
  }

  get hasApi() {
    return this.get('gorkie.api') === 'yes';
  }

  get hasManyWorkspaces() {
    return this.get('slack.many_workspaces') === 'true';
  }

  #checkLength() {
    const bytes = toldBytes(this.parameters({ Release: '0'.repeat(12), SecretsPath: this.secretsPath, DaytonaSnapshot: 'gorkie-000000000000' }));
    if (bytes > TOLD_BYTES_MAX) {
      const [longest] = [...this.#values].reduce((one, other) => (other[1].length > one[1].length ? other : one));
      throw new Complaint(
        `${longest} is not what it should be. Expected: less: all that a function is told may have ${TOLD_BYTES_MAX} bytes, and this comes to ${bytes}.` +
          ' Where many people are to be answered, gorkie.people_opt_in names a channel that they join.',
      );
    }
  }

  #checkNetwork() {
    if ((this.get('aws.subnets') === '') !== (this.get('aws.security_groups') === '')) {
      throw new Complaint('aws.subnets and aws.security_groups are not what they should be. Expected: both, or neither.');
    }
  }

  #checkRoom() {
    const workers = Number(this.get('aws.worker_concurrency'));
    const turns = Number(this.get('gorkie.turns_at_once'));
    if (workers > 0 && workers < turns + BESIDE_TURNS) {
      throw new Complaint(
        `aws.worker_concurrency is not what it should be. Expected: at least ${BESIDE_TURNS} more than gorkie.turns_at_once, which is ${turns},` +
          ' so that a stop is heard while all turns are at work; or 0, for no cap.',
      );
    }
  }
}

function parsed(file) {
  try {
    return library('smol-toml').parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Complaint(`${file} is no TOML: ${error.message.trim()}`);
  }
}

function flat(tables) {
  const values = new Map();
  for (const [section, table] of Object.entries(tables)) {
    if (typeof table !== 'object' || Array.isArray(table)) {
      values.set(section, text(table));
      continue;
    }
    for (const [name, value] of Object.entries(table)) {
      values.set(`${section}.${name}`, text(value));
    }
  }
  return values;
}

function text(value) {
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}

function check(key, value) {
  const rule = RULES.get(key);
  const number = Number(value);
  const fits =
    (rule.AllowedPattern === undefined || new RegExp(`^(?:${rule.AllowedPattern})$`).test(value)) &&
    (rule.AllowedValues === undefined || rule.AllowedValues.map(String).includes(value)) &&
    (rule.Type !== 'Number' || ((key === 'aws.spend_alarm' ? /^[0-9]+([.][0-9]+)?$/ : /^[0-9]+$/).test(value) && number >= (rule.MinValue ?? 0) && number <= (rule.MaxValue ?? Infinity))) &&
    value.length >= (rule.MinLength ?? 0) &&
    // It is handed to a tool that splits its arguments at blanks and quotes.
    !/[\s"'\\]/.test(value);
  if (!fits) {
    throw new Complaint(`${key} is not what it should be. Expected: ${expected(rule)}.`);
  }
}

function expected(rule) {
  const what = rule.Description.replace(/[.:]\s*$/, '');
  return what[0].toLowerCase() + what.slice(1) + (rule.AllowedValues ? `: ${rule.AllowedValues.join(', ')}` : '');
}
