// The bill of materials of what npm brings into the sandboxes' image:
//
//   node src/build/bill.mjs
//
// prints it as CycloneDX. An npm older than 9.9 cannot make one and fetches one that can.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SANDBOX = fileURLToPath(new URL('../main/sandbox', import.meta.url));
const ABLE = 'npm@10.9.4';
const ASKED = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=optional'];

const npm = (args, complaints) => spawnSync('npm', args, { cwd: SANDBOX, encoding: 'utf8', stdio: ['ignore', 'pipe', complaints] });

const own = npm(ASKED, 'ignore');
const made = own.status === 0 ? own : npm(['exec', '--yes', ABLE, '--', ...ASKED], 'inherit');
process.stdout.write(made.stdout ?? '');
process.exitCode = made.status ?? 1;
