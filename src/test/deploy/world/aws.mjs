#!/usr/bin/env node
// Stands in for the tools `aws` and `sam` at the border of the process: it keeps what it is told in a file, answers from there as
// they do, and writes down what it was asked. WORLD names the folder; SAM=1 makes it `sam`.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

const file = join(process.env.WORLD, 'state.json');
const state = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { parameters: {}, stacks: {}, functions: {}, queue: [], invoked: [], unreserved: 1000 };

const args = process.argv.slice(2);
appendFileSync(join(process.env.WORLD, 'asked'), `${JSON.stringify([process.env.SAM ? 'sam' : 'aws', ...args])}\n`);
const before = JSON.stringify(state);
const answer = process.env.SAM ? sam() : aws();
// Several may be asked at once, of which one changes something at most.
if (JSON.stringify(state) !== before) {
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(state));
  renameSync(`${file}.${process.pid}`, file);
}
if (answer !== undefined) {
  console.log(JSON.stringify(answer));
}

function option(name) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}

function options(name) {
  const from = args.indexOf(`--${name}`) + 1;
  const to = args.findIndex((arg, at) => at >= from && arg.startsWith('--'));
  return args.slice(from, to < 0 ? undefined : to);
}

/** What stands in the file that is named: `file://…`, `fileb://…`. */
function content(named) {
  return readFileSync(named.replace(/^fileb?:\/\//, ''), 'utf8');
}

function refuse(sentence) {
  console.error(`\n${sentence}`);
  process.exit(254);
}

function aws() {
  const handler = {
    'sts get-caller-identity': () => ({ Account: '000000000000' }),
    'lambda get-account-settings': () => ({ AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: state.unreserved } }),
    'lambda get-function-concurrency': () => (state.reserved ? { ReservedConcurrentExecutions: state.reserved } : undefined),
    'kms generate-data-key-without-plaintext': dataKey,
    'ssm get-parameters': getParameters,
    'ssm put-parameter': putParameter,
    'cloudformation describe-stacks': describeStacks,
    'cloudformation delete-stack': () => void delete state.stacks[option('stack-name')],
    'cloudformation wait': () => undefined,
    'lambda list-versions-by-function': () => ({ Versions: [{ Version: '$LATEST' }, ...known().versions] }),
    'lambda get-alias': () => ({ FunctionVersion: known().live }),
    'lambda update-alias': () => void (known().live = published(option('function-version')).Version),
    'lambda delete-function': deleteVersion,
    'lambda invoke': () => void state.invoked.push({ name: option('function-name'), payload: content(option('payload')) }),
    'sqs receive-message': () => (state.queue.length > 0 ? { Messages: state.queue.slice(0, Number(option('max-number-of-messages'))) } : undefined),
    'sqs delete-message': () => void (state.queue = state.queue.filter((one) => one.ReceiptHandle !== option('receipt-handle'))),
    'sqs get-queue-attributes': () => ({
      Attributes: { ApproximateNumberOfMessages: String(state.queue.length), ApproximateNumberOfMessagesNotVisible: '0' },
    }),
  }[`${args[0]} ${args[1]}`];
  return handler ? handler() : refuse(`aws: error: argument operation: Invalid choice: ${args[0]} ${args[1]}`);
}

/** Looks as one does; what is in it nobody here can say either. */
function dataKey() {
  if (option('number-of-bytes') !== '32' || option('encryption-context') !== 'gorkie=token-key' || !option('key-id')) {
    refuse('An error occurred (ValidationException) when calling the GenerateDataKeyWithoutPlaintext operation');
  }
  return { CiphertextBlob: randomBytes(184).toString('base64'), KeyId: option('key-id') };
}

function getParameters() {
  const names = options('names');
  if (names.length > 10) {
    refuse('An error occurred (ValidationException) when calling the GetParameters operation: Member must have length less than or equal to 10');
  }
  return {
    Parameters: names.filter((name) => state.parameters[name]).map((name) => ({ Name: name, Type: 'SecureString', ...state.parameters[name] })),
    InvalidParameters: names.filter((name) => !state.parameters[name]),
  };
}

function putParameter() {
  const name = option('name');
  if (option('type') !== 'SecureString' || !args.includes('--overwrite')) {
    refuse('An error occurred (ValidationException) when calling the PutParameter operation');
  }
  state.parameters[name] = { Value: content(option('value')), Version: (state.parameters[name]?.Version ?? 0) + 1 };
  return { Version: state.parameters[name].Version };
}

function describeStacks() {
  const stack = state.stacks[option('stack-name')];
  return stack
    ? { Stacks: [{ StackStatus: stack.status ?? 'UPDATE_COMPLETE', Outputs: Object.entries(stack.outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) }] }
    : refuse(`An error occurred (ValidationError) when calling the DescribeStacks operation: Stack with id ${option('stack-name')} does not exist`);
}

function known() {
  const name = option('function-name').split(':')[0];
  return state.functions[name] ?? refuse(`An error occurred (ResourceNotFoundException): Function not found: ${name}`);
}

function published(version) {
  return known().versions.find((one) => one.Version === version) ?? refuse('An error occurred (ResourceNotFoundException)');
}

function deleteVersion() {
  const version = option('qualifier');
  if (known().live === version) {
    refuse('An error occurred (ResourceConflictException): it is used by alias live');
  }
  known().versions = known().versions.filter((one) => one.Version !== version);
}

/** As CloudFormation does it: a release it has not deployed last becomes a version of both functions, to which the alias goes. */
function sam() {
  if (args[0] === '--version') {
    console.log('SAM CLI, version 1.0.0');
    return undefined;
  }
  const name = option('stack-name');
  const parameters = Object.fromEntries(options('parameter-overrides').map((pair) => pair.match(/^([A-Za-z]+)="(.*)"$/).slice(1)));
  if (state.stacks[name]?.status === 'ROLLBACK_COMPLETE') {
    refuse(`Error: Stack: ${name} is in ROLLBACK_COMPLETE state and can not be updated`);
  }
  const last = state.stacks[name]?.parameters.Release;
  const hasApi = parameters.SandboxApi === 'yes';
  state.stacks[name] = {
    parameters,
    outputs: {
      Url: process.env.URL_OF_STACK ?? 'https://abc.execute-api.example.com',
      Worker: `${name}-worker`,
      Ingress: `${name}-ingress`,
      FailureQueueUrl: `https://sqs.example.com/000000000000/${name}-failures`,
      Release: parameters.Release,
      ...(hasApi && { ProgramsUrl: 'https://def.execute-api.example.com/v1/sandbox' }),
    },
  };
  for (const role of parameters.Release === last ? [] : ['ingress', 'worker', ...(hasApi ? ['api'] : [])]) {
    const one = (state.functions[`${name}-${role}`] ??= { versions: [], last: 0 });
    one.last += 1;
    one.live = String(one.last);
    one.versions.push({ Version: one.live, Environment: { Variables: { GORKIE_RELEASE: parameters.Release } } });
  }
  return undefined;
}
