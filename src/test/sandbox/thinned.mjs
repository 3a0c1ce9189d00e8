// Prints what the keeper would have written down of a recorded transcript:
//
//   $GORKIE/bin/node src/test/sandbox/thinned.mjs src/test/resources/transcripts/pi-<version>-<name>.jsonl

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { Thinner } = await import(pathToFileURL(join(process.env.GORKIE, 'keeper', 'thin.mjs')));

const FENCE = 1;
let asked = [];
const tell = (record) => console.log(JSON.stringify(record));
const thinner = new Thinner(tell, (text) => {
  const found = asked.find((command) => command.message === text);
  asked = asked.filter((command) => command !== found);
  return found?.id;
});

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const { dir, msg } = JSON.parse(line);
  if (dir === 'out') {
    thinner.accept(msg, Buffer.byteLength(JSON.stringify(msg)));
  } else if (msg) {
    // Pi hears of an abort only from the keeper itself, as what becomes of a stop.
    const command = msg.type === 'abort' ? 'keeper_stop' : msg.type;
    tell({ type: 'keeper_command', id: msg.id, fence: FENCE, command });
    asked.push(msg);
  }
}
thinner.end();
