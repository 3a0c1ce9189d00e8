// Records a journal of 200 KB with the real keeper and the real Pi, and prints in whose home it lies:
//
//   $GORKIE/bin/node src/test/sandbox/journal.mjs
//
// The keeper has ended then; whoever asked for the home removes it.

import { Model, calls, says } from './world/model.mjs';
import { Sandbox, alive, until } from './world/sandbox.mjs';

const BYTES = 200 * 1024;
// One- to four-byte characters, and what something on the way might take for the end of a line or for a command.
const AWKWARD = 'aé語🙂𝄞 \u2028\u2029\u0085\ufeff\u007f \u0000\u0003\u0004\u001b[31m\r\n\t "\\" \'$(touch x)\' # {"type":"agent_settled"} ';
const PRINTED = `printf '\\303\\251 \\360\\237\\231\\202 \\342\\200\\250 \\r\\n\\177\\033[31m\\377 %s\\n' $(seq 60)`;

const model = await Model.start();
const sandbox = new Sandbox();
const line = sandbox.attach().start(model);
for (let turn = 1; line.journal.length < BYTES; turn++) {
  model.will(calls(['bash', { command: PRINTED, status: 'Printing' }]), says(AWKWARD.repeat(turn * 60), 37));
  line.prompt(`m${turn}`, `Turn ${turn}`);
  await line.type('agent_settled');
}
line.give('quit', { type: 'keeper_quit' });
await until(() => !alive(sandbox.status().pid), 'the keeper has ended');
await line.close();
model.stop();
console.log(sandbox.home);
