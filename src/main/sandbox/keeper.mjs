// The keeper's program. What it does is told in docs/keeper.md; here its words are told apart.

import { parseArgs } from 'node:util';

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
    stdout: { type: 'string' },
    stderr: { type: 'string' },
  },
});
const [word, argument, ...others] = positionals;
const decoded = () => Buffer.from(argument ?? '', 'base64url').toString('utf8');
// Only what a word needs is read: a turn waits for some of these programs to start.
const part = (name) => import(`./keeper/${name}.mjs`);

switch (word) {
  case 'attach':
    await (await part('attach')).attach(number(values.fence), number(values.offset, 0));
    break;
  case 'read':
    await (await part('attach')).read(number(values.fence), number(values.offset, 0), number(values.wait, 0), number(values.max, 1024 * 1024));
    process.exit(0);
  case 'start':
    await (await part('attach')).startOnce(JSON.parse(decoded())).catch((error) => {
      console.error(error.message);
      process.exit(1);
    });
    process.exit(0);
  case 'show':
    console.log(JSON.stringify((await part('files')).show(decoded(), number(values.max, 1024 ** 3))));
    break;
  case 'display':
    console.log(JSON.stringify((await part('files')).display(number(values.max, 1024 ** 3))));
    break;
  case 'transcript':
    console.log(JSON.stringify((await part('transcript')).transcript(argument ?? '', number(values.offset, 0), values.hash, number(values.max, 256 * 1024))));
    break;
  case 'jobs':
    console.log(JSON.stringify({ jobs: await (await part('jobs')).looked([argument, ...others].filter(Boolean)) }));
    break;
  case 'job-stop':
    console.log(JSON.stringify(await (await part('jobs')).stopJob(argument ?? '')));
    break;
  case 'supervise':
    await (await part('job')).supervise(argument ?? '');
    break;
  case 'perform': {
    const listens = values.stdout !== undefined || values.stderr !== undefined;
    const offsets = listens ? { stdout: number(values.stdout, 0), stderr: number(values.stderr, 0) } : undefined;
    const given = others[0] === undefined ? undefined : Buffer.from(others[0], 'base64url').toString('utf8');
    process.stdout.write(`${JSON.stringify(await (await part('perform')).perform(argument ?? '', given, number(values.wait, 0), offsets))}\n`, () => process.exit(0));
    break;
  }
  case 'performing':
    await (await part('perform')).performing(argument ?? '');
    break;
  case 'keep':
    await (await part('run')).keep();
    break;
  default:
    console.error('keeper attach | read | start | show | display | transcript | jobs | job-stop | perform');
    process.exit(2);
}
