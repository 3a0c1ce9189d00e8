// Servers of tools that an operator has listed, over the Model Context Protocol: what they have, and having it done.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-06-18';
// Pi does not start before all have answered or had their time.
const CONNECT_MS = 5_000;
const CALL_MS = 120_000;
// More fill the model's window before anything was asked.
const TOOLS_MAX = 64;
const PAGES_MAX = 10;
const DESCRIPTION_CHARS = 2_000;
const RESULT_CHARS = 50_000;
const NAME_CHARS = 64;
const VARIABLE = /\$\{([A-Za-z_]\w*)\}/g;

/** Those that are listed beside the extension, as far as they answer: `[{tools, call}]`. One that does not is said so on standard error. */
export async function servers(list = new URL('../mcp.json', import.meta.url)) {
  if (!existsSync(list)) {
    return [];
  }
  const { mcpServers } = JSON.parse(readFileSync(list, 'utf8'));
  const found = await Promise.all(
    Object.entries(mcpServers).map(([name, how]) =>
      connected(name, how).catch((error) => {
        console.error(`The server ${name} gives no tools: ${error.message}`);
        return [];
      }),
    ),
  );
  return found.flat();
}

async function connected(name, how) {
  const wire = how.url ? new Http(how) : new Pipe(how);
  const signal = AbortSignal.timeout(CONNECT_MS);
  await wire.begin(signal);
  const tools = [];
  let cursor;
  for (let page = 0; page < PAGES_MAX && tools.length < TOOLS_MAX; page++) {
    const { tools: some = [], nextCursor } = await wire.ask('tools/list', { ...(cursor && { cursor }) }, signal);
    tools.push(...some);
    if (!nextCursor) {
      break;
    }
    cursor = nextCursor;
  }
  return tools.slice(0, TOOLS_MAX).map((tool) => ({
    name: `mcp__${name}__${tool.name}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARS),
    description: String(tool.description ?? tool.title ?? tool.name).slice(0, DESCRIPTION_CHARS),
    parameters: { type: 'object', properties: {}, ...tool.inputSchema },
    call: async (args, asked) => {
      const within = AbortSignal.timeout(CALL_MS);
      const result = await wire.ask('tools/call', { name: tool.name, arguments: args }, asked ? AbortSignal.any([asked, within]) : within);
      return toldOf(result);
    },
  }));
}

function toldOf({ content = [], structuredContent, isError }) {
  const text = content.map((part) => part.text ?? part.resource?.text ?? (part.uri ? `${part.name ?? ''} ${part.uri}` : `[${part.type}, which is not shown here]`)).join('\n');
  const told = (text || JSON.stringify(structuredContent ?? null)).slice(0, RESULT_CHARS);
  if (isError) {
    throw new Error(told);
  }
  return told;
}

const HELLO = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'gorkie', version: '1' } };

/** A variable that is not set stands for nothing: the server says then what it misses. */
const filled = (text) => String(text).replace(VARIABLE, (_, name) => process.env[name] ?? '');

/** One request each; what comes back is JSON, or a stream with it among other things. */
class Http {
  #url;
  #headers;
  #session = {};
  #id = 0;

  constructor({ url, headers = {} }) {
    this.#url = filled(url);
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));
  }

  async begin(signal) {
    this.#session = {};
    const { protocolVersion } = await this.#ask('initialize', HELLO, signal);
    this.#session['mcp-protocol-version'] = protocolVersion ?? PROTOCOL;
    await this.#post({ method: 'notifications/initialized' }, signal);
  }

  /** A server that was started anew has forgotten us. */
  async ask(method, params, signal) {
    try {
      return await this.#ask(method, params, signal);
    } catch (error) {
      if (error.status !== 404) {
        throw error;
      }
      await this.begin(signal);
      return this.#ask(method, params, signal);
    }
  }

  async #ask(method, params, signal) {
    const id = ++this.#id;
    const answer = await this.#post({ id, method, params }, signal);
    const message = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream') ? await among(answer, id) : await answer.json();
    return resultOf(message);
  }

  async #post(message, signal) {
    const answer = await fetch(this.#url, {
      method: 'POST',
      headers: { ...this.#headers, ...this.#session, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      redirect: 'error',
      signal,
    });
    const session = answer.headers.get('mcp-session-id');
    if (session) {
      this.#session['mcp-session-id'] = session;
    }
    if (!answer.ok) {
      await answer.body?.cancel();
      throw Object.assign(new Error(`it answered ${answer.status}`), { status: answer.status });
    }
    if (message.id === undefined) {
      await answer.body?.cancel();
    }
    return answer;
  }
}

/** The answer to this request in a stream of events. */
async function among(answer, id) {
  let rest = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length).trim()).join('\n');
      const message = data ? JSON.parse(data) : {};
      if (message.id === id) {
        return message;
      }
    }
  }
  throw new Error('it ended without an answer');
}

function resultOf({ result, error }) {
  if (error) {
    throw new Error(error.message ?? 'it refused');
  }
  return result ?? {};
}

/** A program beside Pi that ends with it, and is begun anew where it has ended before; a line is a message. */
class Pipe {
  #how;
  #child;
  #greeted;
  #open = new Map();
  #id = 0;

  constructor(how) {
    this.#how = how;
  }

  begin() {
    // One greeting is for all who ask meanwhile: nobody's own time or stop ends it.
    this.#greeted = this.#begin(AbortSignal.timeout(CONNECT_MS));
    return this.#greeted;
  }

  async #begin(signal) {
    const { command, args = [], env = {} } = this.#how;
    // What carries Pi's own mark is ended with each run.
    const { GORKIE_MODEL_KEY, GORKIE_BOOT, ...own } = process.env;
    const more = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    const child = spawn(command, args.map(filled), { env: { ...own, GORKIE_BESIDE: GORKIE_BOOT, ...more }, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.on('error', (error) => this.#end(child, error));
    child.on('exit', () => this.#end(child, new Error('it has ended')));
    createInterface({ input: child.stdout }).on('line', (line) => this.#heard(line));
    try {
      await once(child, 'spawn', { signal });
      await this.#asked('initialize', HELLO, signal);
    } catch (error) {
      this.#end(child, error);
      child.kill('SIGKILL');
      throw error;
    }
    this.#say({ method: 'notifications/initialized' });
  }

  async ask(method, params, signal) {
    await (this.#child ? this.#greeted : this.begin());
    signal?.throwIfAborted();
    return this.#asked(method, params, signal);
  }

  #asked(method, params, signal) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => reject(new Error('it did not answer in time')), { once: true });
      this.#say({ id, method, params });
    })
      .finally(() => this.#open.delete(id))
      .then(resultOf);
  }

  #say(message) {
    if (!this.#child) {
      throw new Error('it has ended');
    }
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #heard(line) {
    try {
      const message = JSON.parse(line);
      this.#open.get(message.id)?.resolve(message);
    } catch {
      // What it prints for people.
    }
  }

  #end(child, error) {
    if (this.#child === child) {
      this.#child = undefined;
      this.#open.forEach(({ reject }) => reject(error));
    }
  }
}
