// What Pi's tools have here beyond their own: a phrase for the people who watch, a time limit for commands, and
// showFile, which hands a file to them. Nothing is sent from here; whoever reads Pi's records does that.

import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import {
  createBashToolDefinition,
  createEditToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  type ExtensionAPI,
} from "@earendil-works/pi-coding-agent";

const BASH_SECONDS = 600;

const status = {
  type: "string",
  description: 'A short phrase a person in the chat will read while this runs, at most 49 characters, e.g. "Reading the report"',
};

/** Commands need no model key. Pi itself does, so this keeps it from slips and not from theft. */
function withoutKey({ command, cwd, env }: { command: string; cwd: string; env: NodeJS.ProcessEnv }) {
  const { GORKIE_MODEL_KEY, ...rest } = env;
  return { command, cwd, env: rest };
}

/** The same tool, which also takes a status and does nothing with it: its call's record carries it to the reader. */
function withStatus(tool: any, defaults: Record<string, unknown> = {}) {
  return {
    ...tool,
    parameters: { ...tool.parameters, properties: { ...tool.parameters.properties, status } },
    execute: (id: string, { status: _, ...given }: any, ...rest: any[]) => tool.execute(id, { ...defaults, ...given }, ...rest),
  };
}

export default function (pi: ExtensionAPI) {
  const cwd = process.cwd();
  const bash: any = createBashToolDefinition(cwd, { spawnHook: withoutKey });
  const timeout = { ...bash.parameters.properties.timeout, description: `Seconds after which the command is ended; ${BASH_SECONDS} if left out` };
  bash.parameters = { ...bash.parameters, properties: { ...bash.parameters.properties, timeout } };

  pi.registerTool(withStatus(createReadToolDefinition(cwd)));
  pi.registerTool(withStatus(bash, { timeout: BASH_SECONDS }));
  pi.registerTool(withStatus(createEditToolDefinition(cwd)));
  pi.registerTool(withStatus(createWriteToolDefinition(cwd)));

  pi.registerTool({
    name: "showFile",
    label: "showFile",
    description:
      "Show a finished file to the people in the chat. Call it as soon as the file is ready, once per file; a link or a path in an answer shows them nothing.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the work directory" },
        title: { type: "string", description: "What the file is, in a few words; shown with it" },
        status,
      },
      required: ["path", "title"],
      additionalProperties: false,
    } as any,
    async execute(_id: string, { path, title }: any) {
      const work = realpathSync(cwd);
      const file = statSync(resolve(work, path), { throwIfNoEntry: false });
      if (!file) {
        throw new Error(`There is no file ${path}.`);
      }
      if (!file.isFile()) {
        throw new Error(`${path} is not a regular file. To show a folder, pack it into a zip file first.`);
      }
      if (!realpathSync(resolve(work, path)).startsWith(work + sep)) {
        throw new Error(`${path} is outside the work directory. Copy it to output/ and show the copy.`);
      }
      return { content: [{ type: "text", text: `${path} is being shown.` }], details: { path, title } };
    },
  });
}
