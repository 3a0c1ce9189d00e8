// Pi as a child on plain pipes: with which words and in which environment it is started, and what it says.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from './disk.mjs';
import { Lines } from './lines.mjs';
import { image, installedPi, places } from './places.mjs';
import { oversize, tail, typeIn } from './thin.mjs';

const PROVIDER = 'gorkie';
const LINE_BYTES_MAX = 32 * 1024 * 1024;
const STDERR_CHARS = 2_000;
const LAST_WORDS_MS = 1_000;

// A proxy that puts a secret in at egress is reached through these, and so are hosts behind a private authority.
const PASSED_ON = [
  'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy',
  'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE',
];

export class Pi {
  #child;
  #stderr = '';

  /** `hears` gets each record with its size, `ends` the exit, once and after the last record. */
  constructor({ session, cwd, model, permissions, key }, mark, { hears, noise, ends }) {
    configure(model);
    this.#child = spawn(process.execPath, [installedPi().entry, ...flags(session, model)], {
      cwd,
      env: environment(mark, permissions, key),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const lines = new Lines(
      LINE_BYTES_MAX,
      (line) => {
        const record = parsed(line);
        return record ? hears(record, line.length) : noise(line);
      },
      (head, bytes) => {
        const text = head.toString('utf8');
        const note = oversize(typeIn(text), bytes, text);
        hears(note, JSON.stringify(note).length);
      },
    );
    this.#child.stdout.on('data', (chunk) => lines.push(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = tail(this.#stderr + text, STDERR_CHARS);
    });
    // A pipe breaks when Pi dies; its exit says so.
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('error', () => {});
    this.#child.stderr.on('error', () => {});
    this.#onceEnded((code, signal) => {
      const stderr = key ? this.#stderr.replaceAll(key, '(key)') : this.#stderr;
      ends({ code, signal, stderr });
    });
  }

  get pid() {
    return this.#child.pid;
  }

  say(command) {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** Pi closes its session and its tools at the end of its input. */
  close() {
    this.#child.stdin.end();
    this.#child.kill('SIGTERM');
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  /** The exit can overtake the last bytes, and a process Pi left behind can hold its pipes open. */
  #onceEnded(tell) {
    let told = false;
    const once = (code, signal) => {
      if (!told) {
        told = true;
        tell(code, signal);
      }
    };
    this.#child.on('error', (error) => {
      this.#stderr += error.message;
      once(null, null);
    });
    this.#child.on('exit', (code, signal) => setTimeout(() => once(code, signal), LAST_WORDS_MS));
    this.#child.on('close', once);
  }
}

/** Pi's own settings, anew at each boot, so that neither the model nor an older image can change them for good. */
function configure({ baseUrl, ...model }) {
  const provider = { baseUrl, api: 'openai-completions', apiKey: '$GORKIE_MODEL_KEY', models: [model] };
  writeWhole(join(places.agent, 'models.json'), JSON.stringify({ providers: { [PROVIDER]: provider } }));
  writeWhole(join(places.agent, 'settings.json'), readFileSync(join(image, 'settings.json')));
  const skills = join(places.agent, 'skills');
  rmSync(skills, { recursive: true, force: true });
  if (existsSync(join(image, 'skills'))) {
    symlinkSync(join(image, 'skills'), skills);
  }
}

/** What stands for keys that an operator lets sandboxes use: the keys themselves are nowhere here. */
function placeholders() {
  return Object.entries(process.env).filter(([name, value]) => name !== 'GORKIE_MODEL_KEY' && value.startsWith('dtn_secret_'));
}

function flags(session, model) {
  return [
    '--mode', 'rpc',
    '--session-id', session,
    '--session-dir', places.sessions,
    '--no-extensions', '--extension', join(image, 'extension.ts'),
    '--system-prompt', join(image, 'SYSTEM.md'),
    '--provider', PROVIDER,
    '--model', model.id,
    '--no-approve',
    '--no-context-files',
  ];
}

/** What a process of ours sees; a mark in it tells which of our processes it came from. */
export function environment(mark, permissions, key) {
  const { HOME = homedir(), PATH = '/usr/local/bin:/usr/bin:/bin', USER, SHELL, TZ } = process.env;
  const [name, value] = mark.split('=');
  return {
    HOME,
    PATH: [join(HOME, '.local', 'bin'), PATH, join(image, 'bin')].join(':'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: USER ?? 'daytona',
    SHELL: SHELL ?? '/bin/bash',
    TZ: TZ ?? 'UTC',
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
    PI_CODING_AGENT_DIR: places.agent,
    [name]: value,
    ...(permissions && { GORKIE_PERMISSIONS: permissions }),
    ...(key && { GORKIE_MODEL_KEY: key }),
    ...Object.fromEntries(placeholders()),
    ...Object.fromEntries(PASSED_ON.filter((word) => process.env[word]).map((word) => [word, process.env[word]])),
  };
}

function parsed(line) {
  try {
    const record = JSON.parse(line.toString('utf8'));
    return record && typeof record === 'object' && typeof record.type === 'string' ? record : null;
  } catch {
    return null;
  }
}
