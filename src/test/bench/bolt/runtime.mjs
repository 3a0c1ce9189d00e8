// What Lambda's managed runtime for Node does with a handler, and nothing more: asks for an event, gives it, brings the answer.
//
//   AWS_LAMBDA_RUNTIME_API=… node runtime.mjs <module with a handler>

import http from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const API = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

const { handler } = await import(pathToFileURL(resolve(process.argv[2])));
for (;;) {
  const { headers, body } = await call('GET', `${API}/next`);
  const id = headers['lambda-runtime-aws-request-id'];
  try {
    const answer = await handler(JSON.parse(body), { awsRequestId: id });
    await call('POST', `${API}/${id}/response`, JSON.stringify(answer));
  } catch (error) {
    await call('POST', `${API}/${id}/error`, JSON.stringify({ errorType: error.name, errorMessage: error.message }));
  }
}

function call(method, url, body) {
  return new Promise((done, failed) => {
    const request = http.request(url, { method, agent }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => done({ headers: answer.headers, body: Buffer.concat(pieces).toString('utf8') }));
      answer.on('error', failed);
    });
    request.on('error', failed);
    request.end(body);
  });
}
