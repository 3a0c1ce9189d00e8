// A Pi that does as its prompts say, for what the real one does too rarely:
//   run             a run with one answer
//   raw:<base64>    these bytes on stdout within a run
//   file:<path>     a file's bytes likewise
//   fill            fills the disk, says more than fits and settles; then there is room again
//   busy            a run that goes on until it is aborted
//   deaf            a run that no abort ends
//   die             an exit in the middle of a run
// A model whose id is `dies` ends before it is ready. What it hears it notes in $HOME/heard.

import { appendFileSync, readFileSync, rmSync } from 'node:fs';

const say = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);
const model = process.argv[process.argv.indexOf('--model') + 1];

if (model === 'dies') {
  console.error(`no model, and the key was ${process.env.GORKIE_MODEL_KEY}`);
  process.exit(3);
}

const filler = `${process.env.HOME}/filler`;
let running = false;
let deaf = false;

let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  // Node's own line reader would split at U+2028, too.
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  lines.forEach(hear);
});

function hear(line) {
  note(line);
  const command = JSON.parse(line);
  const { id, type } = command;
  const success = () => say({ id, type: 'response', command: type, success: true });
  switch (type) {
    case 'get_state':
      say({ id, type: 'response', command: type, success: true, data: { model: { provider: 'gorkie', id: model }, messageCount: prompts() } });
      break;
    case 'prompt':
      success();
      prompt(command.message);
      break;
    case 'abort':
      if (!deaf) {
        rmSync(filler, { force: true });
        settle();
        success();
      }
      break;
    default:
      success();
  }
}

function prompt(message) {
  const [word, argument] = message.split(':');
  running = true;
  say({ type: 'agent_start' });
  say({ type: 'message_end', message: { role: 'user', content: [{ type: 'text', text: message }], timestamp: 1 } });
  switch (word) {
    case 'raw':
      process.stdout.write(Buffer.from(argument, 'base64'));
      settle();
      break;
    case 'file':
      process.stdout.write(readFileSync(argument));
      settle();
      break;
    case 'fill':
      fill();
      break;
    case 'busy':
      break;
    case 'deaf':
      deaf = true;
      break;
    case 'die':
      process.exit(7);
      break;
    default:
      say({ type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: `answer to ${message}` }], stopReason: 'stop' } });
      settle();
  }
}

function note(line) {
  try {
    appendFileSync(`${process.env.HOME}/heard`, `${line}\n`);
  } catch {
    // The disk is full, as it was told to be.
  }
}

/** What it was ever asked counts as its conversation, whatever the session. */
function prompts() {
  try {
    return readFileSync(`${process.env.HOME}/heard`, 'utf8').split('\n').filter((line) => line.includes('"type":"prompt"')).length;
  } catch {
    return 0;
  }
}

function fill() {
  toTheBrim();
  for (let at = 0; at < 300; at++) {
    say({ type: 'said', at, text: 'x'.repeat(3_000) });
  }
  setTimeout(() => {
    // By now the keeper has tried again, so that the room it kept free is gone, too.
    toTheBrim();
    say({ type: 'agent_settled' });
    say({ type: 'agent_start' });
  }, 1_300);
}

function toTheBrim() {
  try {
    for (;;) {
      appendFileSync(filler, Buffer.alloc(4096));
    }
  } catch {
    // Full.
  }
}

function settle() {
  if (running) {
    running = false;
    say({ type: 'agent_end', messages: [] });
    say({ type: 'agent_settled' });
  }
}
