// A model that says what it was told to say, over the OpenAI wire.

import { createServer } from 'node:http';
import { once } from 'node:events';

export class Model {
  requests = [];
  #replies = [];
  #server = createServer((request, response) => this.#serve(request, response));
  #asked = [];

  static async start() {
    const model = new Model();
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  /** What it will answer to the next requests, one each; see `says`, `calls`, `fails`, `hangsAfter`. */
  will(...replies) {
    this.#replies.push(...replies);
  }

  /** Resolves at the next request. */
  asked() {
    return new Promise((resolve) => this.#asked.push(resolve));
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
    this.requests.push({ ...JSON.parse(body), authorization: request.headers.authorization });
    this.#asked.splice(0).forEach((resolve) => resolve());
    const reply = this.#replies.shift() ?? says('Nothing was scripted.');
    await reply(response);
  }
}

export function says(text, size = 4) {
  return (response) => {
    const stream = open(response);
    for (let at = 0; at < text.length; at += size) {
      stream.delta({ content: text.slice(at, at + size) });
    }
    stream.close('stop');
  };
}

/** Tool calls, all in one message: `calls(['bash', {command: 'ls'}], …)`. */
export function calls(...tools) {
  return (response) => {
    const stream = open(response);
    tools.forEach(([name, args], index) => {
      const id = `call_${name}_${index}_${Math.random().toString(36).slice(2, 8)}`;
      stream.delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      stream.delta({ tool_calls: [{ index, function: { arguments: JSON.stringify(args) } }] });
    });
    stream.close('tool_calls');
  };
}

export function fails(status, message) {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message, type: 'scripted' } }));
  };
}

/** Says something and then nothing more, the connection open. */
export function hangsAfter(text) {
  return (response) => open(response).delta({ content: text });
}

/** Says something and breaks the connection. */
export function breaksAfter(text) {
  return (response) => {
    open(response).delta({ content: text });
    setTimeout(() => response.destroy(), 50);
  };
}

function open(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (fields) => response.write(`data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 1, model: 'scripted', ...fields })}\n\n`);
  return {
    delta: (delta) => send({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] }),
    close: (reason) => {
      send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
      send({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 } });
      response.end('data: [DONE]\n\n');
    },
  };
}
