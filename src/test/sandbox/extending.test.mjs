// What an operator adds to the image: skills, and servers of tools; with the real Pi.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Model, calls, says } from './world/model.mjs';
import { Sandbox, image } from './world/sandbox.mjs';

const source = join(import.meta.dirname, '..', '..', 'main', 'sandbox');
const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'extending.md'), 'utf8');
let folder;
let desk;
let model;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gorkie-extending-')));
  desk = new Desk();
  await desk.start();
  model = await Model.start();
});

afterEach(() => {
  desk.stop();
  model.stop();
  rmSync(folder, { recursive: true });
});

/** A machine of the image that an operator has made with these. */
async function sandboxWith(servers) {
  const { code, stdout, stderr } = await made('install.mjs', [cache()], servers);
  assert.equal(code, 0, stderr);
  return new Extended(stdout.trim());
}

class Extended extends Sandbox {
  get environment() {
    return { ...super.environment, DESK_TOKEN: 'dtn_secret_1', GORKIE_MODEL_KEY: 'dtn_secret_2', OTHER: 'in clear' };
  }
}

function cache() {
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const modules = dirname(realpathSync(join(image, 'node_modules')));
  symlinkSync(modules, join(cache, basename(modules)));
  return cache;
}

/** The folder that the page shows, each file beside what stands in it; of the program it shows the place alone. */
function skills() {
  const [, shown] = /^```\n(skills\/[^`]*?)\n```$/ms.exec(page.replaceAll('`scripts/blue`', 'scripts/blue'));
  let path;
  for (const line of shown.split('\n')) {
    const [, named, text] = /^(skills\/\S+)?\s*(.*)$/.exec(line);
    if (named) {
      path = join(folder, named);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    appendFileSync(path, line.startsWith('GORKIE_SKILLS=') ? '' : `${text}\n`);
  }
  const program = join(folder, 'skills', 'house-style', 'scripts', 'blue');
  writeFileSync(program, '#!/bin/sh\necho blue\n');
  chmodSync(program, 0o755);
  return join(folder, /^GORKIE_SKILLS=(\S+) make snapshot$/m.exec(shown)[1]);
}

/** The servers that the page lists, which are here. */
function serversOfThePage(paper) {
  const { desk: listed, paper: shown } = JSON.parse(/^```\n(\{\n {2}"mcpServers"[^]*?)\n```$/m.exec(page)[1]).mcpServers;
  assert.ok(listed.url.endsWith('/mcp') && shown.args.length > 0);
  return { desk: { ...listed, url: desk.url }, paper: { ...shown, command: process.execPath, args: [paper] } };
}

function listed(servers) {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers: servers }));
  return path;
}

function made(program, words, servers) {
  const environment = { ...process.env, GORKIE_SKILLS: skills(), ...(servers && { GORKIE_MCP: listed(servers) }) };
  return run(process.execPath, [join(source, program), ...words], environment);
}

function run(program, words, environment) {
  return new Promise((resolve) => {
    execFile(program, words, { env: environment, cwd: folder, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
}

test('Pi knows an operator’s skill, and runs what belongs to it', async () => {
  const sandbox = await sandboxWith();
  try {
    model.will(calls(['bash', { command: `cat ${sandbox.state}/agent/skills/house-style/SKILL.md; ${sandbox.state}/agent/skills/house-style/scripts/blue` }]), says('Done.'));
    const line = sandbox.attach().start(model).prompt('m1', 'Write a report.');
    const ended = await line.type('tool_execution_end');
    await line.type('agent_settled');

    const system = JSON.stringify(model.requests[0].messages[0]);
    assert.match(system, /house-style/);
    assert.match(system, /How reports look here/);
    assert.match(ended.result.content[0].text, /Headings are blue\.[^]*\nblue\n$/);
  } finally {
    await sandbox.remove();
  }
});

test('tools of servers are Pi’s, with a key that it never sees, and a server that is not there holds nothing up', async () => {
  const beside = join(folder, 'beside.mjs');
  writeFileSync(beside, BESIDE);
  const sandbox = await sandboxWith({
    ...serversOfThePage(beside),
    away: { url: 'http://127.0.0.1:9/mcp' },
  });
  try {
    model.will(
      calls(['mcp__desk__add', { a: 40, b: 2, status: 'Adding' }]),
      calls(['mcp__paper__shout', { text: 'quiet' }]),
      calls(['mcp__desk__fail', {}]),
      calls(['bash', { command: 'echo "$DESK_TOKEN.$OTHER"' }]),
      says('Done.'),
    );
    const line = sandbox.attach().start(model).prompt('m1', 'Use them.');
    const told = [];
    for (let at = 0; at < 4; at++) {
      told.push(await line.type('tool_execution_end'));
    }
    await line.type('agent_settled');
    model.will(calls(['mcp__paper__shout', { text: 'again' }]), says('Done.'));
    line.prompt('m2', 'Once more.');
    const again = await line.type('tool_execution_end');
    await line.type('agent_settled');

    assert.equal(again.result.content[0].text, 'AGAIN');
    const names = model.requests[0].tools.map((tool) => tool.function.name).filter((name) => name.startsWith('mcp__'));
    assert.deepEqual(names.sort(), ['mcp__desk__add', 'mcp__desk__fail', 'mcp__paper__shout']);
    assert.deepEqual(told.map(({ result }) => result.content[0].text), ['42', 'QUIET', 'the desk is closed', 'dtn_secret_1.\n']);
    assert.deepEqual(told.map(({ isError }) => isError), [false, false, true, false]);
    assert.ok(desk.authorizations.every((one) => one === 'Bearer dtn_secret_1'), desk.authorizations.join());
    assert.deepEqual(desk.given, [{ a: 40, b: 2 }, {}]);
  } finally {
    await sandbox.remove();
  }
});

test('who wants to be asked before a command is asked before such a tool', async () => {
  const sandbox = await sandboxWith({ desk: { url: desk.url } });
  try {
    model.will(calls(['mcp__desk__add', { a: 1, b: 2 }]), says('Refused.'));
    const line = sandbox.attach().start(model, { permissions: 'edit' }).prompt('m1', 'Add.');
    const asked = await line.next((record) => record.title === 'gorkie:permission');
    line.give('a1', { type: 'extension_ui_response', id: asked.id, confirmed: false });
    const ended = await line.type('tool_execution_end');
    await line.type('agent_settled');

    assert.equal(JSON.parse(asked.message).tool, 'mcp__desk__add');
    assert.match(JSON.parse(asked.message).text, /"a": 1/);
    assert.match(ended.result.content[0].text, /did not allow/);
    assert.deepEqual(desk.given, []);
  } finally {
    await sandbox.remove();
  }
});

test('the image for Daytona holds them, and its name follows from them', async () => {
  const plain = await run(process.execPath, [join(source, 'snapshot.mjs'), '--name'], process.env);
  const named = await made('snapshot.mjs', ['--name'], { desk: { url: desk.url } });
  const { stdout } = await made('snapshot.mjs', ['--print'], { desk: { url: desk.url } });
  const unpacking = [...stdout.matchAll(/^RUN (mkdir -p \/\.claude.*|echo .*|base64 .*|true && chmod.*)$/gm)].map(([, command]) => command).join('\n');
  const commands = unpacking.replaceAll('/opt/gorkie', join(folder, 'gorkie')).replaceAll('/.claude', join(folder, '.claude')).replaceAll('/tmp/packed', join(folder, 'packed'));

  const unpacked = await run('/bin/sh', ['-ec', commands], process.env);

  assert.notEqual(plain.stdout, named.stdout);
  assert.equal(unpacked.code, 0, unpacked.stderr);
  assert.match(readFileSync(join(folder, '.claude', 'skills', 'house-style', 'SKILL.md'), 'utf8'), /Headings are blue/);
  assert.equal(statSync(join(folder, 'gorkie', 'skills', 'house-style', 'scripts', 'blue')).mode & 0o111, 0o111);
  assert.equal(readlinkSync(join(folder, '.claude', 'skills')), join(folder, 'gorkie', 'skills'));
  assert.match(readFileSync(join(folder, 'gorkie', 'mcp.json'), 'utf8'), /desk/);
  assert.ok(stdout.indexOf('/.claude') < stdout.indexOf('chown -R root:root'));
});

test('what is no skill and no list of servers is said in a sentence', async () => {
  const skill = skills();
  writeFileSync(join(skill, 'house-style', 'SKILL.md'), 'Headings are blue.\n');
  const nameless = await run(process.execPath, [join(source, 'snapshot.mjs'), '--name'], { ...process.env, GORKIE_SKILLS: skill });
  const missing = await run(process.execPath, [join(source, 'snapshot.mjs'), '--name'], { ...process.env, GORKIE_SKILLS: join(folder, 'nowhere') });
  const wrong = await run(process.execPath, [join(source, 'snapshot.mjs'), '--name'], { ...process.env, GORKIE_MCP: listed({ desk: { url: 'desk' } }) });

  assert.deepEqual([nameless.code, missing.code, wrong.code], [2, 2, 2]);
  assert.match(nameless.stderr, /^The skill house-style says not what it is: .*\n$/);
  assert.match(missing.stderr, /^GORKIE_SKILLS is not what it should be: .*\n$/);
  assert.match(wrong.stderr, /^GORKIE_MCP is not what it should be: .*\n$/);
});

const BESIDE = `
import { createInterface } from 'node:readline';
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} } } });
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'shout', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }] } });
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: params.arguments.text.toUpperCase() }] } });
});
`;

/** A server of tools that knows its callers by a session, and answers calls in a stream. */
class Desk {
  authorizations = [];
  given = [];
  #server = createServer((request, response) => this.#serve(request, response));

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/mcp`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request, response) {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    const { id, method, params } = JSON.parse(body);
    this.authorizations.push(request.headers.authorization);
    if (method !== 'initialize' && request.headers['mcp-session-id'] !== 's1') {
      response.writeHead(404).end();
      return;
    }
    const result = this.#result(method, params);
    if (id === undefined) {
      response.writeHead(202).end();
    } else if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  }

  #result(method, params) {
    const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
    switch (method) {
      case 'initialize':
        return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'desk', version: '1' } };
      case 'tools/list':
        // In two pages.
        return params.cursor ? { tools: [{ name: 'fail', inputSchema: { type: 'object' } }] } : { tools: [{ name: 'add', description: 'Adds.', inputSchema: numbers }], nextCursor: 'more' };
      case 'tools/call':
        this.given.push(params.arguments);
        return params.name === 'add'
          ? { content: [{ type: 'text', text: String(params.arguments.a + params.arguments.b) }] }
          : { content: [{ type: 'text', text: 'the desk is closed' }], isError: true };
      default:
        return {};
    }
  }
}
