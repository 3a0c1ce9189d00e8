// Other programs, and what an operator reads when one of them fails.

import { spawn } from 'node:child_process';

const STDERR_CHARACTERS_MAX = 2_000;

/** A sentence for the operator, who can do something about it. */
export class Complaint extends Error {}

const NEEDED = {
  aws: 'Install the AWS command line interface and try again.',
  sam: 'Install the AWS SAM command line interface and try again.',
  make: 'Install make and try again.',
};

// What Node gives a child to read from is a socket, and nobody can open /dev/stdin where that is one; behind cat it is a pipe.
const PIPED = ['-c', 'cat | "$0" "$@"'];
const NOT_FOUND = 127;

/**
 * Runs a program to its end and gives back what it wrote. `show`: its output goes to the operator instead. `input`: what it
 * reads, for what must not be among its arguments, where everybody on the machine sees it, nor on a disk.
 */
export async function run(command, args, { env, input, show = false } = {}) {
  const [program, words] = input === undefined ? [command, args] : ['sh', [...PIPED, command, ...args]];
  const child = spawn(program, words, {
    env: env ?? process.env,
    stdio: [input === undefined ? 'ignore' : 'pipe', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
  });
  const said = Promise.all([all(child.stdout), all(child.stderr)]);
  if (input !== undefined) {
    child.stdin.on('error', () => {}); // One that does not read says why by its exit code.
    child.stdin.end(input);
  }
  const code = await new Promise((resolve, reject) => {
    child.on('error', (error) => (error.code === 'ENOENT' ? resolve(NOT_FOUND) : reject(error)));
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  const [out, err] = await said;
  if (code === NOT_FOUND) {
    throw new Complaint(`${command} was not found. ${NEEDED[command] ?? 'Install it and try again.'}`);
  }
  if (code !== 0) {
    throw new Failed(command, args, code, err);
  }
  return out;
}

/** A program that ended with something else than success. */
export class Failed extends Complaint {
  constructor(command, args, code, said) {
    const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
    super(`“${[command, ...words].join(' ')}” failed (${code})${said ? `: ${said.trim().slice(-STDERR_CHARACTERS_MAX)}` : '.'}`);
    this.said = said;
  }
}

async function all(stream) {
  let text = '';
  for await (const part of stream?.setEncoding('utf8') ?? []) {
    text += part;
  }
  return text;
}
