// Looks into the functions' zip before it is sent anywhere.

import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { Complaint } from './tools.mjs';

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const MACHINES = { 0x3e: 'x86_64', 0xb7: 'arm64' };
// How far into a program it says which machine it is for.
const MACHINE_AT = 18;

/** Complains when the program in it cannot run as the function it is meant for. */
export function checkZip(file, { runtime, architecture }) {
  const bootstrap = entry(readFileSync(file), 'bootstrap');
  if (runtime !== 'provided.al2023') {
    if (bootstrap) {
      throw new Complaint(`${file} holds the native program, and aws.runtime is ${runtime}. Expected: what “make lambda” builds, or provided.al2023.`);
    }
    return;
  }
  if (!bootstrap) {
    throw new Complaint(`${file} holds no native program. Expected: what “make native” builds; or java25 as aws.runtime.`);
  }
  const machine = MACHINES[bootstrap.readUInt16LE(MACHINE_AT)];
  if (machine !== architecture) {
    throw new Complaint(`${file} was built for ${machine ?? 'another machine'}, and aws.architecture is ${architecture}. Build it on such a machine, or change that.`);
  }
}

/** The content of one file in a zip; nothing where it is not in there. */
function entry(zip, name) {
  let end = zip.length - END_BYTES;
  while (end >= 0 && zip.readUInt32LE(end) !== END) {
    end -= 1;
  }
  if (end < 0) {
    throw new Complaint('That is no zip.');
  }
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === ENTRY; left -= 1) {
    const lengths = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    if (zip.toString('utf8', at + 46, at + 46 + lengths[0]) === name) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(from, from + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
    }
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return undefined;
}
