// Lets AWS's own judge look at a template, without AWS:
//
//   node deploy/validate.mjs [template]

import { fileURLToPath, pathToFileURL } from 'node:url';
import { library } from './libraries.mjs';

// It takes every parameter with such a word in its name for the secret itself; ours hold names.
const NOT_FOR_US = ['W2509'];

/** What it finds, a line each; nothing when all is well. */
export function findings(template) {
  const { RegoEngine, TemplateFile } = library('@aws/cloudformation-validate');
  const engine = new RegoEngine();
  try {
    const report = engine.validateStandard(new TemplateFile(template), { severityLevel: 'WARN', exclude: { ids: NOT_FOR_US } });
    return report.diagnostics.map(({ ruleId, message, startLine }) => `${ruleId} in line ${startLine}: ${message}`);
  } finally {
    engine.free();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = findings(process.argv[2] ?? fileURLToPath(new URL('sam-template.yaml', import.meta.url)));
  found.forEach((line) => console.error(line));
  process.exitCode = found.length > 0 ? 1 : 0;
}
