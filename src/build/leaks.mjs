// Whether a secret of the tests has come to where it may not be:
//
//   node src/build/leaks.mjs [folder]
//
// prints what the tests found of theirs when they were over, looks through all that was written to logs and reports meanwhile for the
// same secrets and for what looks like one, and fails when there is any.

import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = process.argv[2] ?? 'target';
const LEAKS = join(TARGET, 'leaks');
// Bearers, private keys, keys of AWS, tokens of Slack, GitHub and ours for programs; and what stands behind a password's name.
const LOOKS_LIKE_ONE = [
  /\bxox[abepr](?:\.xox[bp])?-[A-Za-z0-9-]{8,}/,
  /\bxapp-[A-Za-z0-9-]{16,}/,
  /\bgorkie_[a-z2-7]{12}_[A-Za-z0-9_-]{43}/,
  /\bBearer [A-Za-z0-9._~+/=-]{16,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /postgres(?:ql)?:\/\/[^:@\s/]+:[^@\s/]{3,}@/,
];

const names = existsSync(LEAKS) ? readdirSync(LEAKS) : [];
const lines = (name) => readFileSync(join(LEAKS, name), 'utf8').split('\n').filter(Boolean);
const found = names.filter((name) => name.endsWith('.found')).flatMap(lines);
const canaries = [...new Set(names.filter((name) => name.endsWith('.canaries')).flatMap(lines))];

const logs = below(TARGET).filter((path) => /\.(log|txt|xml|dump|dumpstream)$/.test(path) && !path.startsWith(LEAKS));
for (const log of logs) {
  const text = readFileSync(log, 'latin1');
  canaries.filter((secret) => text.includes(secret)).forEach(() => found.push(`a secret of the tests in ${log}`));
  LOOKS_LIKE_ONE.map((form) => form.exec(text)).filter(Boolean).forEach(([text]) => found.push(`${text.slice(0, 12)}… in ${log}`));
}

/** The logs that this run has written; what older ones left lies beside them. */
function below(folder) {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['classes', 'test-classes', 'quarkus-app', 'world', 'lib'].includes(entry.name) || entry.name.startsWith('function-') ? [] : below(path);
    }
    return entry.isFile() && statSync(path).size < 200_000_000 ? [path] : [];
  });
}

mkdirSync(join(TARGET, 'attack'), { recursive: true });
writeFileSync(join(TARGET, 'attack', 's5-leaks.row'), `S5/S13\tsecrets in tables, machines, wires and logs\t${logs.length + canaries.length}\t${found.length}\t${canaries.length} secrets\n`);
if (canaries.length === 0) {
  found.push('No test has said what its secrets are, so nobody can have looked for them.');
}
if (found.length > 0) {
  console.error(`Secrets were found where they may not be:\n  ${[...new Set(found)].join('\n  ')}`);
  process.exit(1);
}
console.log(`Of ${canaries.length} secrets none was found anywhere, ${logs.length} logs included.`);
