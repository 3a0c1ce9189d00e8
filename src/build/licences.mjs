// What we hand on, and under which licences:
//
//   node src/build/licences.mjs <list> <bill of materials>...
//
// reads CycloneDX files, writes the list, and fails where a part has no licence or one that wants more than its name said.

import { readFileSync, writeFileSync } from 'node:fs';

// Each lets a program be handed on with others in one file. Of two between which there is a choice, one is enough.
const FINE = new Set([
  '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'EPL-1.0', 'EPL-2.0', 'ISC', 'LGPL-2.1-only', 'LGPL-2.1-or-later', 'MIT', 'MIT-0',
  'MPL-2.0', 'PostgreSQL', 'UPL-1.0', 'Python-2.0', 'Unlicense', 'CDDL-1.0', 'CDDL-1.1', 'EDL-1.0', 'GPL-2.0-with-classpath-exception',
]);

// As people write them into their POMs.
const NAMES = [
  [/apache.*2(\.0)?|^asl 2|^al2$/i, 'Apache-2.0'],
  [/eclipse distribution|\bedl\b/i, 'EDL-1.0'],
  [/eclipse public.*2|epl[ -]?2/i, 'EPL-2.0'],
  [/eclipse public|epl[ -]?1/i, 'EPL-1.0'],
  [/gpl.*(class ?path|\bce\b)|gnu general public license.*classpath|gpl2 w\/ cpe/i, 'GPL-2.0-with-classpath-exception'],
  [/lesser general public|lgpl/i, 'LGPL-2.1-or-later'],
  [/bsd.*2[- ]clause|simplified bsd/i, 'BSD-2-Clause'],
  [/\bbsd\b/i, 'BSD-3-Clause'],
  [/mit[- ]0/i, 'MIT-0'],
  [/\bmit\b/i, 'MIT'],
  [/public domain|cc0/i, 'CC0-1.0'],
  [/mozilla|mpl/i, 'MPL-2.0'],
  [/cddl/i, 'CDDL-1.1'],
  [/bouncy ?castle/i, 'MIT'],
];

const [list, ...bills] = process.argv.slice(2);
const parts = new Map();
for (const bill of bills) {
  for (const part of JSON.parse(readFileSync(bill, 'utf8')).components ?? []) {
    if (part.purl && part.type === 'library') {
      parts.set(part.purl, [...new Set([...(parts.get(part.purl) ?? []), ...(part.licenses ?? []).flatMap(named)])]);
    }
  }
}

function named({ license, expression }) {
  if (expression) {
    const plain = expression.replace(/^\((.*)\)$/, '$1');
    // With brackets inside it is taken for the strictest that it can mean.
    return (plain.includes('(') ? plain.replaceAll(/[()]/g, '').replaceAll(' OR ', ' AND ') : plain).split(' OR ').map((one) => one.replaceAll(' AND ', ' and '));
  }
  const words = license?.id ?? license?.name ?? '';
  return FINE.has(words) ? [words] : [NAMES.find(([form]) => form.test(words))?.[1] ?? words];
}

const lines = [...parts].map(([part, licences]) => `${part.split('?')[0]}  ${licences.join(' or ') || '?'}`).sort();
writeFileSync(list, `${lines.join('\n')}\n`);
const wrong = [...parts].filter(([part, licences]) => !part.includes('/dev.gorkie/') && !licences.some((licence) => licence.split(' and ').every((one) => FINE.has(one))));
if (parts.size === 0 || wrong.length > 0) {
  console.error(parts.size === 0 ? 'There is nothing in these.' : `Nobody has said that these may be handed on:\n${wrong.map(([part, licences]) => `  ${part}: ${licences.join(', ') || 'no licence'}`).join('\n')}`);
  process.exit(1);
}
console.log(`${parts.size} parts; ${list} tells their licences.`);
