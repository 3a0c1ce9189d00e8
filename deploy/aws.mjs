// What is asked of AWS by its own tools.

import { Complaint, Failed, run } from './tools.mjs';

const ALIAS = 'live';
// The present one and those one may want to go back to.
const RELEASES_KEPT = 5;

/** The `aws` tool, in one region; gives back what it answers. */
export function awsIn(region) {
  return async (args, options) => {
    const said = await run('aws', [...args, '--region', region, '--output', 'json'], options);
    return said.trim() ? JSON.parse(said) : {};
  };
}

/** What the stack tells of itself, by name; nothing where there is none. */
export async function outputs(aws, stack) {
  const { Outputs = [] } = (await described(aws, stack)) ?? {};
  return Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

/** As CloudFormation calls it; nothing where there is no stack. */
export async function status(aws, stack) {
  return (await described(aws, stack))?.StackStatus;
}

export async function remove(aws, stack) {
  await aws(['cloudformation', 'delete-stack', '--stack-name', stack]);
  await aws(['cloudformation', 'wait', 'stack-delete-complete', '--stack-name', stack]);
}

async function described(aws, stack) {
  try {
    return (await aws(['cloudformation', 'describe-stacks', '--stack-name', stack])).Stacks[0];
  } catch (error) {
    if (error instanceof Failed && error.said.includes('does not exist')) {
      return undefined;
    }
    throw error;
  }
}

/** All functions, the worker first: their versions, each with the release it belongs to, the oldest first; and which is live. */
export function published(aws, stack, hasApi) {
  return Promise.all(
    [`${stack}-worker`, `${stack}-ingress`, ...(hasApi ? [`${stack}-api`] : [])].map(async (name) => {
      const [{ Versions }, alias] = await Promise.all([
        aws(['lambda', 'list-versions-by-function', '--function-name', name]),
        aws(['lambda', 'get-alias', '--function-name', name, '--name', ALIAS]),
      ]);
      const versions = Versions.filter(({ Version }) => Version !== '$LATEST')
        .map(({ Version, Environment }) => ({ version: Number(Version), release: Environment?.Variables?.GORKIE_RELEASE }))
        .sort((a, b) => a.version - b.version);
      return { name, versions, live: Number(alias.FunctionVersion) };
    }),
  );
}

/**
 * Lets each function's alias stand for what belongs to a release; gives back what changed. Programs' function may have come later than
 * the others: where it has no such version it stays as it is.
 */
export async function shift(aws, functions, release) {
  const isLater = ({ name, versions }) => name.endsWith('-api') && newest(versions, release) === undefined;
  for (const { name, versions } of functions.filter((one) => !isLater(one))) {
    if (newest(versions, release) === undefined) {
      throw new Complaint(`${name} has no version of release ${release}. There are: ${releases(versions).join(', ')}.`);
    }
  }
  const changed = [];
  for (const one of functions.filter((it) => !isLater(it))) {
    const version = newest(one.versions, release);
    if (version !== one.live) {
      await aws(['lambda', 'update-alias', '--function-name', one.name, '--name', ALIAS, '--function-version', String(version)]);
      changed.push(`${one.name} from version ${one.live} to ${version}`);
      one.live = version;
    }
  }
  return changed;
}

/** The release that was live before the present one. */
export function releaseBefore([{ versions, live }]) {
  const present = versions.find((one) => one.version === live)?.release;
  const before = versions.filter((one) => one.version < live && one.release && one.release !== present).at(-1);
  if (!before) {
    throw new Complaint(`Before release ${present} there is none to go back to.`);
  }
  return before.release;
}

/** Removes versions of releases that nobody goes back to any more; gives back how many. */
export async function prune(aws, functions) {
  let removed = 0;
  for (const { name, versions, live } of functions) {
    const kept = releases(versions).slice(-RELEASES_KEPT);
    for (const { version } of versions.filter((one) => !kept.includes(one.release) && one.version !== live)) {
      await aws(['lambda', 'delete-function', '--function-name', name, '--qualifier', String(version)]);
      removed += 1;
    }
  }
  return removed;
}

function newest(versions, release) {
  return versions.filter((one) => one.release === release).at(-1)?.version;
}

/** Each once, that which was published last at the end. */
function releases(versions) {
  return [...new Set(versions.map((one) => one.release).reverse())].reverse();
}

/** Hands what failed to the worker once more, as it came; gives back how many. */
export async function redrive(aws, stack, queueUrl) {
  let driven = 0;
  for (;;) {
    const { Messages = [] } = await aws(['sqs', 'receive-message', '--queue-url', queueUrl, '--max-number-of-messages', '10']);
    if (Messages.length === 0) {
      return driven;
    }
    for (const { Body, ReceiptHandle } of Messages) {
      const payload = JSON.stringify(JSON.parse(Body).requestPayload);
      // The last argument is where an answer would go; to an event there is none.
      await aws(
        ['lambda', 'invoke', '--function-name', `${stack}-worker:${ALIAS}`, '--invocation-type', 'Event', '--payload', 'fileb:///dev/stdin', '/dev/null'],
        { input: payload },
      );
      await aws(['sqs', 'delete-message', '--queue-url', queueUrl, '--receipt-handle', ReceiptHandle]);
      driven += 1;
    }
  }
}

/** How many deliveries wait in the failure queue. */
export async function waiting(aws, queueUrl) {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
  const { Attributes } = await aws(['sqs', 'get-queue-attributes', '--queue-url', queueUrl, '--attribute-names', ...names]);
  return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}
