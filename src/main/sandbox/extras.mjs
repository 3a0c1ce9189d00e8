// What an operator adds to the image: skills, a folder each, and a list of servers whose tools Pi is to have.
//
//   GORKIE_SKILLS   a folder with a folder for each skill in it, which holds a SKILL.md
//   GORKIE_MCP      a file: {"mcpServers": {"<name>": {"url": "…", "headers": {…}} or {"command": "…", "args": […]}}}

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from './daytona.mjs';

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const NAME_CHARS_MAX = 64;
// They travel in a Dockerfile; what is larger belongs where a skill can fetch it.
const BYTES_MAX = 1024 * 1024;

/** Each file's place in the image, and where it is here. */
export function extras({ GORKIE_SKILLS: skills, GORKIE_MCP: servers } = process.env) {
  const found = new Map();
  if (skills) {
    for (const name of namesIn(skills)) {
      skill(skills, name).forEach((path) => found.set(`skills/${path}`, join(skills, path)));
    }
  }
  if (servers) {
    mustList(servers);
    found.set('mcp.json', servers);
  }
  const bytes = [...found.values()].reduce((sum, path) => sum + statSync(path).size, 0);
  if (bytes > BYTES_MAX) {
    stop(2, `The skills in ${skills} are too large: ${bytes} bytes, and ${BYTES_MAX} fit into the image.`);
  }
  return found;
}

function namesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return stop(2, `GORKIE_SKILLS is not what it should be: ${folder} is no folder that can be read.`);
  }
}

function skill(folder, name) {
  if (!NAME.test(name) || name.length > NAME_CHARS_MAX) {
    stop(2, `The skill ${name} is not called as it should be: small letters, digits and single hyphens between them, ${NAME_CHARS_MAX} at most.`);
  }
  const front = /^---\r?\n([^]*?)\r?\n---/.exec(text(join(folder, name, 'SKILL.md')))?.[1] ?? '';
  if (!/^name:\s*\S/m.test(front) || !/^description:\s*\S/m.test(front)) {
    stop(2, `The skill ${name} says not what it is: its SKILL.md begins with a name and a description between two lines of ---.`);
  }
  return filesIn(folder, name);
}

function filesIn(folder, path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`;
    if (!PATH.test(entry.name) || !(entry.isFile() || entry.isDirectory())) {
      stop(2, `${inside} cannot be part of a skill: plain files and folders can, of letters, digits, points, - and _.`);
    }
    return entry.isDirectory() ? filesIn(folder, inside) : [inside];
  });
}

function mustList(path) {
  let servers;
  try {
    servers = JSON.parse(text(path)).mcpServers;
  } catch {
    servers = undefined;
  }
  const isServer = ([name, { url, command }]) => NAME.test(name) && (/^https?:\/\/[^/]/.test(url ?? '') || typeof command === 'string');
  if (!servers || typeof servers !== 'object' || !Object.entries(servers).every(isServer)) {
    stop(2, `GORKIE_MCP is not what it should be: ${path} is to hold {"mcpServers": {"<name>": {"url": "https://…"} or {"command": "…"}}}.`);
  }
}

function text(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
