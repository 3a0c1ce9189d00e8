// How long Pi takes by itself: the same prompt, so many times, on one session and without anything around it.
//
//   MODEL_BASE_URL=… MODEL_ID=… MODEL_API_KEY=… $GORKIE/bin/node src/test/sandbox/alone.mjs "<prompt>" <times>
//
// prints the milliseconds from the prompt to `agent_settled`, a line each.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { image } from './world/sandbox.mjs';

const [prompt, times] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'alone-'));
process.env.HOME = home;
process.env.GORKIE = image;
const { Pi } = await import(join(image, 'keeper', 'pi.mjs'));
const { makePlaces } = await import(join(image, 'keeper', 'places.mjs'));
makePlaces();

let settle = () => {};
const settled = () => new Promise((resolve) => (settle = resolve));
const ended = new Promise((resolve) => {
  const { MODEL_BASE_URL, MODEL_ID, MODEL_API_KEY } = process.env;
  const pi = new Pi({ session: 'alone-s1', cwd: home, model: { baseUrl: MODEL_BASE_URL, id: MODEL_ID }, key: MODEL_API_KEY }, 'GORKIE_BOOT=alone', {
    hears: ({ type }) => type === 'agent_settled' && settle(),
    noise: () => {},
    ends: resolve,
  });
  (async () => {
    for (let turn = 0; turn < Number(times); turn++) {
      const began = performance.now();
      const over = settled();
      pi.say({ id: `turn-${turn}`, type: 'prompt', message: prompt });
      await over;
      console.log((performance.now() - began).toFixed(1));
    }
    pi.close();
  })();
});
await ended;
rmSync(home, { recursive: true, force: true });
