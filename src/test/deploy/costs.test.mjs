// The cost page reckons rightly, and with what is deployed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parameters } from '../../../deploy/template.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'costs.md'), 'utf8');
const CENT = 0.01;

test('each line is its product, and each table its sum', () => {
  let sum = 0;
  let lines = 0;
  for (const [, part, reckoning, dollars] of page.matchAll(/^\| ([^|]+) \| ([^|]*) \| \**([0-9.]+)\** \|$/gm)) {
    if (part.startsWith('**')) {
      assert.ok(Math.abs(sum - Number(dollars)) < CENT / 2, `${sum} and not ${dollars}`);
      sum = 0;
    } else if (reckoning.includes('×')) {
      const product = reckoning.split('×').reduce((all, factor) => all * parseFloat(factor), 1);
      assert.ok(Math.abs(product - Number(dollars)) <= CENT / 2 + 1e-9, `${part}: ${product} and not ${dollars}`);
      sum += Number(dollars);
      lines += 1;
    }
  }
  assert.equal(lines, 24);
});

test('it reckons with the memory, the sandbox and the alarms that there are', () => {
  const template = readFileSync(join(root, 'deploy', 'sam-template.yaml'), 'utf8');
  const sandbox = readFileSync(join(root, 'src', 'main', 'sandbox', 'snapshot.mjs'), 'utf8');

  assert.equal(parameters.WorkerMemory.Default, 1024);
  assert.equal(parameters.IngressMemory.Default, 512);
  assert.match(page, /\| the worker \| 1 GB, 60 s/);
  assert.match(page, /\| a delivery at the first function \| 0\.02 s, 0\.5 GB /);
  assert.match(sandbox, /RESOURCES = \{ cpu: 1, memory: 2, disk: 5 \}/);
  assert.match(page, /\| a sandbox is \| 1 vCPU, 2 GiB, 5 GiB of disk /);
  assert.equal(template.match(/Type: AWS::CloudWatch::Alarm\n {4}Properties/g).length, 8);
  assert.equal(template.match(/Type: AWS::CloudWatch::Alarm\n {4}Condition: HasApi/g).length, 1);
  assert.match(page, /The eight alarms look at nine metrics; `gorkie\.api = "yes"` adds one of each\./);
});
