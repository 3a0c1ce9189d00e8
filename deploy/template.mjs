// The template as far as deploying reads it: its parameters, and which setting of the program gets which.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { library } from './libraries.mjs';

export const TEMPLATE = fileURLToPath(new URL('sam-template.yaml', import.meta.url));

const { parse } = library('yaml');
// Of CloudFormation's own words only this one is of interest here; of the others there remains what they are said of.
const REF = { tag: '!Ref', resolve: (name) => ({ Ref: name }) };

const template = parse(readFileSync(TEMPLATE, 'utf8'), { customTags: [REF], logLevel: 'error' });

/** By name: type, default, what is allowed, and a description that says what is expected. */
export const parameters = template.Parameters;

const ofWorker = [template.Globals.Function, template.Resources.WorkerFunction.Properties].flatMap((part) => Object.entries(part.Environment.Variables));

/** What the worker is told, as [setting of the program, parameter of the template]. */
export const told = ofWorker.filter(([, value]) => value?.Ref in parameters).map(([name, { Ref }]) => [name, Ref]);

/** How much the worker is told, who is told most, in bytes. What is told under a condition counts with that. */
export function toldBytes(values) {
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('${SecretsPath}', values.SecretsPath);
  const environment = ofWorker.map(([name, value]) => [name, value?.Ref in parameters ? values[value.Ref] : text(value)]);
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(environment)));
}
