// What Pi's tools have here beyond their own: a phrase for the people who watch, a time limit for commands, a question
// to them where they want to be asked first; and tools of which this computer can only ask for the result. Nothing is sent
// from here; whoever reads Pi's records does that.

import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import {
  createBashToolDefinition,
  createEditToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  type ExtensionAPI,
} from "@earendil-works/pi-coding-agent";
import { servers } from "./keeper/mcp.mjs";
import { allJobs, anyJobs, logOf, stateOf, stopJob } from "./keeper/jobs.mjs";

const BASH_SECONDS = 600;
const JOB_SECONDS = 3_600;
const LOG_BYTES = 16 * 1024;
const LOG_BYTES_MAX = 64 * 1024;

// Pi's own dialogues carry what only the host can do, since only it may speak with the chat: the question in their fields, the
// answer in their value. Which conversation this is the host knows; no question can name another one.
const TOOL = "gorkie:tool";
const PERMISSION = "gorkie:permission";
const TOOL_MS = 60_000;
// A file of a gigabyte at 4 MB/s.
const FILE_MS = 6 * 60_000;
// The host says no after half an hour; this is for when there is no host any more.
const PERMISSION_MS = 40 * 60_000;
// Of a longer record the host sees only that there was one; in a record the question is quoted once more.
const QUESTION_BYTES = 7_000;
const SHOWN_CHARS = 2_000;

// What is asked for first. A word that is not known here is taken for the strictest.
const ASKED: Record<string, string[]> = { bypass: [], edit: ["bash"] };
const asked = new Set(ASKED[process.env.GORKIE_PERMISSIONS ?? "bypass"] ?? ["bash", "edit", "write"]);
const REFUSED =
  "The people in the chat did not allow this. Don't reach for the same by another way; say what you wanted to do and why, or go on without it.";

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
function withStatus(tool: any) {
  return {
    ...tool,
    parameters: { ...tool.parameters, properties: { ...tool.parameters.properties, status } },
    execute: (id: string, { status: _, ...given }: any, ...rest: any[]) => tool.execute(id, given, ...rest),
  };
}

/** Has the host do something; what goes wrong there is said in its own words. */
async function askHost(name: string, args: Record<string, unknown>, ms: number, signal: AbortSignal | undefined, ctx: any) {
  return said(await answerOfHost(name, args, ms, signal, ctx));
}

function said(text: string) {
  return { content: [{ type: "text" as const, text }], details: {} };
}

async function answerOfHost(name: string, args: Record<string, unknown>, ms: number, signal: AbortSignal | undefined, ctx: any) {
  const question = JSON.stringify({ name, args });
  if (Buffer.byteLength(JSON.stringify(question)) > QUESTION_BYTES) {
    throw new Error(TOO_LONG[name] ?? "That is too long to ask for.");
  }
  const answer = await ctx.ui.input(TOOL, question, { signal, timeout: ms });
  if (answer === undefined) {
    throw new Error("There was no answer in time. Go on without it, or try once more later.");
  }
  const { text, error } = JSON.parse(answer);
  if (error) {
    throw new Error(error);
  }
  return String(text);
}

// Jobs: the keeper runs them, here they are asked for and looked at.

const TOO_LONG: Record<string, string> = {
  startJob: "That command is too long for a job. Write it into a file and start that one.",
};

async function startJob({ command, timeout }: any, signal: AbortSignal | undefined, ctx: any) {
  const seconds = timeout ?? JOB_SECONDS;
  const id = await answerOfHost("startJob", { command, seconds }, TOOL_MS, signal, ctx);
  return said(
    `Job ${id} has begun. It goes on when your turn is over, for ${seconds} s at most, and you hear of its end then. async_status tells how it stands.`,
  );
}

function toldOf({ job, state, code, signal, seconds, command }: any) {
  const line = String(command).split("\n")[0].slice(0, 200);
  const how: Record<string, string> = {
    running: `running for ${seconds} s`,
    exited: `completed with exit code ${code} after ${seconds} s`,
    stopped: `stopped after ${seconds} s, with exit code ${code}`,
    limit: `failed: ended after ${seconds} s, its limit, with exit code ${code}`,
    lost: "failed: it was lost, since the computer was started anew or what looked after it was ended",
  };
  return `${job}: ${how[state] ?? state}${signal ? ` (${signal})` : ""}\n  ${line}`;
}

function logsOf(id: string, offset: number | undefined, bytes: number) {
  const { from, next, end, text } = logOf(id, offset, bytes);
  return `${end === 0 ? "It has printed nothing." : `Its output, bytes ${from} to ${next} of ${end}:`}\n${text}`;
}

async function jobStatus({ id, action, offset, bytes }: any, signal: AbortSignal | undefined, ctx: any) {
  if (id === undefined) {
    return said(allJobs().map(toldOf).join("\n") || "There is no job in this conversation.");
  }
  const before = stateOf(String(id));
  if (before.state === "unknown") {
    // One that was lost with its computer is known to the host alone.
    return said(await answerOfHost("jobStatus", { id }, TOOL_MS, signal, ctx));
  }
  const now = action === "stop" ? await stopJob(id) : before;
  if (now.state !== "running") {
    // Whoever knows the end need not be told; when that fails, it is told twice.
    await answerOfHost("jobTold", { id }, TOOL_MS, signal, ctx).catch(() => {});
  }
  const max = Math.min(Math.max(Number(bytes ?? LOG_BYTES) || LOG_BYTES, 1), LOG_BYTES_MAX);
  return said(action === "status" && now.state === "running" ? toldOf({ ...now, command: before.command }) : `${toldOf({ ...now, command: before.command })}\n${logsOf(id, offset, max)}`);
}

function registerJobStatus(pi: ExtensionAPI) {
  pi.registerTool({
    name: "async_status",
    label: "async_status",
    description:
      "How the jobs of this conversation stand that bash has begun in the background. Don't wait for one by asking again and again: you are told when it is over.",
    parameters: {
      type: "object",
      properties: {
        id: { ...WORDS, description: "The job's id; all are listed if left out" },
        action: { type: "string", enum: ["status", "logs", "stop"], description: "status if left out; stop ends all of its processes" },
        offset: { type: "integer", description: "For logs: from which byte of the output on; its end if left out" },
        bytes: { type: "integer", description: `For logs: how many at most; ${LOG_BYTES} if left out, ${LOG_BYTES_MAX} at most` },
        status,
      },
      additionalProperties: false,
    } as any,
    execute: (_id: string, { status: _, action = "status", ...args }: any, signal: AbortSignal | undefined, _update: any, ctx: any) =>
      jobStatus({ action, ...args }, signal, ctx),
  });
}

/** What is to be decided on, as far as a person reads it. */
function shownOf(tool: string, input: any) {
  const text = tool.startsWith("mcp__")
    ? JSON.stringify(input, null, 1)
    : tool === "bash" ? String(input.command) : `${input.path}\n\n${tool === "write" ? input.content : JSON.stringify(input.edits ?? input.newText ?? "", null, 1)}`;
  return { text: text.slice(0, SHOWN_CHARS), more: Math.max(0, text.length - SHOWN_CHARS) };
}

const WORDS = { type: "string" };
const HOST_TOOLS: [string, string, Record<string, unknown>, string[]][] = [
  ["readThread", "Read what was written in this conversation, also before you were asked, with who wrote it and the ids of files. Newest last.",
    { limit: { type: "integer", description: "How many messages at most, 1 to 200; 50 if left out" } }, []],
  ["readChannel", "Read the latest messages of a public channel that you are a member of.",
    { channel: { ...WORDS, description: "The channel's name or id" }, limit: { type: "integer", description: "1 to 100; 30 if left out" } }, ["channel"]],
  ["whoIs", "Look up a person of this workspace: name, title, time zone.", { user: { ...WORDS, description: "The person's id, such as U012AB3CD" } }, ["user"]],
  ["react", "Put an emoji under a message of this conversation, the latest one to you if none is named.",
    { emoji: { ...WORDS, description: "Its name without colons, such as eyes" }, ts: { ...WORDS, description: "The message's ts" } }, ["emoji"]],
  ["getFile", "Fetch a file that people showed in this conversation, or in a public channel you are in, into attachments/.",
    { file: { ...WORDS, description: "The file's id, such as F012AB3CD" } }, ["file"]],
  ["setTitle", "Set the title of this conversation, where the chat shows one.", { title: { ...WORDS, description: "3 to 7 words" } }, ["title"]],
  ["schedule", "Plan something for the person who writes to you, once (at) or again and again (cron), in this conversation. At that time you are asked to do it; with plain the words are only said, as a reminder. Tell the person when it comes next.",
    { what: { ...WORDS, description: "What is to be done, complete, since you know only this then; or the reminder's words. At most 1,000 characters" },
      at: { ...WORDS, description: "Once, by the clocks of the zone: 2026-01-31T09:00" },
      cron: { ...WORDS, description: "Again and again: minute hour day month weekday, such as 0 9 * * 1-5; every 30 minutes at most" },
      zone: { ...WORDS, description: "Such as Europe/Berlin; the person's own if left out" },
      plain: { type: "boolean", description: "Only to be said, nothing to be done" } }, ["what"]],
  ["listTasks", "List what is planned in this conversation, with ids.", {}, []],
  ["cancelTask", "Cancel something that is planned in this conversation.", { id: { ...WORDS, description: "Its id, such as task-abcdefghij" } }, ["id"]],
  ["showPort", "Show people what listens on a port of this computer, such as a page you have built: they see a button, and whoever presses it gets an address of their own for some minutes. What listens has to be a job.",
    { port: { type: "integer", description: "1024 to 65535" }, title: { ...WORDS, description: "What it is, in a few words" } }, ["port", "title"]],
  ["leaveThread", "Stop following this thread when people ask you to. You hear of it again when you are mentioned.", {}, []],
];

/** Tools of servers that an operator has listed. What they do they do elsewhere, so they are asked for like a command. */
async function registerServers(pi: ExtensionAPI) {
  for (const { name, description, parameters, call } of await servers()) {
    pi.registerTool({
      name,
      label: name,
      description,
      parameters: { ...parameters, properties: { ...parameters.properties, status } } as any,
      execute: async (_id: string, { status: _, ...args }: any, signal: AbortSignal | undefined) => said(await call(args, signal)),
    });
  }
}

const isAsked = (tool: string) => asked.has(tool) || (tool.startsWith("mcp__") && asked.has("bash"));

export default async function (pi: ExtensionAPI) {
  const cwd = process.cwd();
  const bash: any = createBashToolDefinition(cwd, { spawnHook: withoutKey });
  const timeout = {
    ...bash.parameters.properties.timeout,
    description: `Seconds after which the command is ended; if left out ${BASH_SECONDS}, in the background ${JOB_SECONDS}`,
  };
  const background = {
    type: "boolean",
    description: "Begin it as a job that goes on when your turn is over: you get its id at once and are told of its end. For what takes longer than some minutes",
  };
  bash.parameters = { ...bash.parameters, properties: { ...bash.parameters.properties, timeout, background } };
  const inForeground = bash.execute;
  bash.execute = async (id: string, { background, ...given }: any, signal: any, update: any, ctx: any) => {
    if (background !== true) {
      return inForeground.call(bash, id, { timeout: BASH_SECONDS, ...given }, signal, update, ctx);
    }
    const started = await startJob(given, signal, ctx);
    registerJobStatus(pi);
    return started;
  };
  if (anyJobs()) {
    registerJobStatus(pi);
  }

  pi.registerTool(withStatus(createReadToolDefinition(cwd)));
  pi.registerTool(withStatus(bash));
  pi.registerTool(withStatus(createEditToolDefinition(cwd)));
  pi.registerTool(withStatus(createWriteToolDefinition(cwd)));

  pi.on("tool_call", async ({ toolCallId, toolName, input }: any, ctx: any) => {
    if (!isAsked(toolName)) {
      return undefined;
    }
    const question = JSON.stringify({ call: toolCallId, tool: toolName, ...shownOf(toolName, input) });
    const allowed = await ctx.ui.confirm(PERMISSION, question, { signal: ctx.signal, timeout: PERMISSION_MS });
    return allowed ? undefined : { block: true, reason: REFUSED };
  });

  for (const [name, description, properties, required] of HOST_TOOLS) {
    pi.registerTool({
      name,
      label: name,
      description,
      parameters: { type: "object", properties: { ...properties, status }, required, additionalProperties: false } as any,
      execute: (_id: string, { status: _, ...args }: any, signal: AbortSignal | undefined, _update: any, ctx: any) =>
        askHost(name, args, name === "getFile" ? FILE_MS : TOOL_MS, signal, ctx),
    });
  }

  await registerServers(pi);

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
