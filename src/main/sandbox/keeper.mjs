// The keeper's program. What it does is told in docs/keeper.md; here its words are told apart.

import { parseArgs } from 'node:util';
import { attach, read, startOnce } from './keeper/attach.mjs';
import { display, show } from './keeper/files.mjs';
import { keep } from './keeper/run.mjs';
import { transcript } from './keeper/transcript.mjs';

const number = (text, otherwise) => {
  const value = Number(text ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Error(`not a number: ${text}`);
  }
  return value;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fence: { type: 'string' },
    offset: { type: 'string' },
    wait: { type: 'string' },
    max: { type: 'string' },
    hash: { type: 'string' },
  },
});
const [word, argument] = positionals;
const decoded = () => Buffer.from(argument ?? '', 'base64url').toString('utf8');

switch (word) {
  case 'attach':
    await attach(number(values.fence), number(values.offset, 0));
    break;
  case 'read':
    await read(number(values.fence), number(values.offset, 0), number(values.wait, 0), number(values.max, 1024 * 1024));
    process.exit(0);
  case 'start':
    await startOnce(JSON.parse(decoded())).catch((error) => {
      console.error(error.message);
      process.exit(1);
    });
    process.exit(0);
  case 'show':
    console.log(JSON.stringify(show(decoded(), number(values.max, 1024 ** 3))));
    break;
  case 'display':
    console.log(JSON.stringify(display(number(values.max, 1024 ** 3))));
    break;
  case 'transcript':
    console.log(JSON.stringify(transcript(argument ?? '', number(values.offset, 0), values.hash, number(values.max, 256 * 1024))));
    break;
  case 'keep':
    await keep();
    break;
  default:
    console.error('keeper attach | read | start | show | display | transcript');
    process.exit(2);
}
