// The keeper itself: one process that owns Pi, writes down what it says and hands it what lies in the inbox.

import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, truncateSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeAll, writeAside, writeWhole } from './disk.mjs';
import { displayed } from './files.mjs';
import { found, remove, watchInbox } from './inbox.mjs';
import { begin, wrongWithJob } from './jobs.mjs';
import { Journal } from './journal.mjs';
import { take } from './lock.mjs';
import { Pi } from './pi.mjs';
import { PROTOCOL, highestFence, imageHash, installedPi, keyed, lastStatus, makePlaces, places } from './places.mjs';
import { endMarked } from './processes.mjs';
import { Thinner } from './thin.mjs';

const READY_MS = 120_000;
const SETTLE_MS = 10_000;
const STARTING_MS = 10_000;
const QUIT_MS = 3_000;
const BEAT_MS = 2_000;
const TICK_MS = 250;
const RETRY_MS = 1_000;
const LIMIT_SECONDS = 1_200;
const DIALOG_MS_MAX = 45 * 60_000;
const PROMPTS_ASKED_MAX = 1_000;

const DIALOGS = new Set(['confirm', 'select', 'input', 'editor']);
const WORDS = new Set(['prompt', 'steer', 'follow_up']);
// These can wait for nothing: the run may be waiting for them.
const URGENT = new Set(['abort', 'get_state', 'extension_ui_response']);
const OWN = 'keeper-';
const TROUBLES_TOLD_MAX = 1_000;

/** Runs until it is told to quit; returns at once when another keeper lives. */
export async function keep() {
  makePlaces();
  const config = JSON.parse(readFileSync(0, 'utf8'));
  if (!take(places.lock)) {
    return;
  }
  const keeper = new Keeper(config);
  // It is a file: a full disk would make an error of each error told.
  process.stderr.on('error', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => keeper.quit());
  process.on('uncaughtException', (error) => keeper.trouble(error));
  process.on('unhandledRejection', (error) => keeper.trouble(error));
  await keeper.start();
}

class Keeper {
  #config;
  #journal = new Journal(places.journal);
  #thinner = new Thinner((record) => this.#journal.append(record), (text) => this.#commandOf(text));
  #given = new Set(givenIds());
  #fence = highestFence();

  #pi = null;
  #boot = null;
  #marks = [];
  // off → booting → idle → starting → running → idle …
  #phase = 'off';
  #since = 0;
  #ranMs = 0;
  #limited = false;
  #noise = false;
  // Whether something was said in this session that Pi must find again, and whether it did not.
  #begun;
  #lost = false;

  #seen = new Map();
  #queue = [];
  #inFlight = null;
  #asked = [];
  #dialogs = new Map();
  #waiters = new Map();
  #own = 0;
  #tidying = null;
  #stopping = null;
  #quitting = false;
  #troubles = 0;

  constructor(config) {
    this.#config = config;
    this.#begun = config.begun === true;
  }

  async start() {
    const before = lastStatus();
    this.#noteTold();
    if (this.#config.forcedBy) {
      this.#journal.append({ type: 'keeper_forced', fence: this.#config.forcedBy });
    }
    this.#writeStatus();
    setInterval(() => this.#beat(), BEAT_MS);
    setInterval(() => this.#tick(), TICK_MS);
    if (before.boot) {
      // A keeper that was killed left Pi or its tools behind, and two on one session would lose a branch of it.
      this.#marks.push(before.boot);
      await this.#tidy();
    }
    watchInbox(places.inbox, () => this.#look());
    this.#look();
    if (this.#phase === 'off' && !this.#quitting) {
      this.#startPi();
    }
  }

  /** A keeper that ended between the two has told of a command; nobody has it, and who waits for it asks again. */
  #noteTold() {
    const last = this.#journal.last();
    if (last?.type === 'keeper_command' && !this.#given.has(last.id)) {
      appendSynced(places.given, `${last.id}\n`);
      this.#given.add(last.id);
    }
  }

  trouble(error) {
    if (++this.#troubles <= TROUBLES_TOLD_MAX) {
      process.stderr.write(`${error?.stack ?? error}\n`);
    }
    if (error?.code !== 'ENOSPC') {
      this.#journal.append({ type: 'keeper_trouble', reason: 'fault', message: String(error?.message ?? error).slice(0, 500) });
    }
  }

  async quit() {
    if (this.#quitting) {
      return;
    }
    this.#quitting = true;
    if (this.#pi) {
      const gone = this.#gone();
      this.#pi.close();
      if (!(await within(gone, QUIT_MS))) {
        this.#pi?.kill();
        await within(gone, QUIT_MS);
      }
    }
    await this.#tidy();
    process.exit(0);
  }

  // Commands

  #look() {
    const entries = found(places.inbox, this.#seen);
    const highest = Math.max(this.#fence, ...entries.filter(({ command }) => command).map(({ fence }) => fence));
    if (highest > this.#fence) {
      try {
        writeWhole(places.fence, String(highest));
        this.#fence = highest;
      } catch (error) {
        this.trouble(error);
        return;
      }
    }
    for (const entry of entries) {
      this.#seen.set(entry.name, entry);
      this.#receive(entry);
    }
    this.#pump();
  }

  #receive(entry) {
    const { id, fence, command } = entry;
    if (!command) {
      this.#refuse(entry, 'unreadable');
    } else if (fence < this.#fence) {
      this.#refuse(entry, 'fence');
    } else if (this.#given.has(id) || command.type === 'keeper_fence') {
      this.#done(entry);
    } else if (command.type === 'keeper_stop') {
      this.#record(entry) && this.#stop();
    } else if (command.type === 'keeper_job') {
      this.#record(entry) && this.#beginJob(command);
    } else if (command.type === 'keeper_quit') {
      if (command.idle && this.#busy()) {
        this.#done(entry);
      } else if (this.#record(entry)) {
        this.quit();
      }
    } else {
      this.#queue.push(entry);
    }
  }

  /** Hands Pi what it may hear now, in the order in which it came; only what is urgent overtakes. */
  #pump() {
    if (this.#quitting) {
      return;
    }
    if (this.#phase === 'off') {
      if (this.#queue.length > 0 && !this.#tidying && !this.#stopping) {
        this.#startPi();
      }
      return;
    }
    if (this.#phase === 'booting') {
      return;
    }
    if (this.#lost) {
      this.#refuseWords('lost');
    }
    let blocked = false;
    for (const entry of [...this.#queue]) {
      const urgent = URGENT.has(entry.command.type);
      if (!urgent && (blocked || !this.#ready(entry.command))) {
        blocked = true;
      } else if (this.#pi && !this.#hand(entry)) {
        return;
      }
    }
  }

  #ready({ type }) {
    return !this.#inFlight && !this.#tidying && !this.#stopping && !(WORDS.has(type) && this.#phase === 'starting');
  }

  #hand(entry) {
    const { id, fence, command } = entry;
    if (fence < this.#fence || this.#given.has(id)) {
      this.#given.has(id) ? this.#done(entry) : this.#refuse(entry, 'fence');
      return true;
    }
    if (!this.#record(entry)) {
      return false;
    }
    if (command.type === 'extension_ui_response') {
      this.#dialogs.delete(command.id);
      this.#pi.say(command);
      return true;
    }
    if (!URGENT.has(command.type)) {
      this.#inFlight = { id, type: command.type };
    }
    if (WORDS.has(command.type)) {
      this.#asked = [...this.#asked, { id, text: String(command.message ?? '') }].slice(-PROMPTS_ASKED_MAX);
    }
    if (command.type === 'prompt' && this.#phase === 'idle') {
      this.#enter('starting');
    }
    this.#pi.say({ ...command, id });
    return true;
  }

  /**
   * Once its id is on the disk the command has been given, whatever happens next. The journal tells of it before that,
   * since of what does not stand there nobody knows that it was given.
   */
  #record(entry) {
    const { id, fence, command } = entry;
    try {
      this.#journal.sync();
      this.#journal.append({ type: 'keeper_command', id, fence, command: command.type });
      this.#journal.sync();
      appendSynced(places.given, `${id}\n`);
      this.#given.add(id);
    } catch (error) {
      if (!this.#given.has(id)) {
        // It stays in the folder and is seen anew.
        this.#forget(entry);
        setTimeout(() => this.#look(), RETRY_MS);
        this.trouble(error);
        return false;
      }
      this.trouble(error);
    }
    this.#done(entry);
    return true;
  }

  /** It is no part of Pi's run: neither the run's end nor the keeper's own is its end. */
  #beginJob(command) {
    const wrong = wrongWithJob(command);
    try {
      if (wrong) {
        throw new Error(wrong);
      }
      begin(command, this.#config.cwd);
      this.#journal.append({ type: 'keeper_job', job: command.job });
    } catch (error) {
      // Whoever asks how it stands hears that nobody knows it.
      this.trouble(error);
    }
  }

  #refuse(entry, reason) {
    const lost = reason === 'lost' && { session: this.#config.session };
    this.#journal.append({ type: 'keeper_refused', id: entry.id, fence: entry.fence, highest: this.#fence, reason, ...lost });
    this.#done(entry);
  }

  #done(entry) {
    try {
      remove(entry);
      this.#forget(entry);
    } catch (error) {
      // Seen and never looked at again; at the next start its id is known.
      this.trouble(error);
    }
  }

  #forget(entry) {
    this.#seen.delete(entry.name);
    this.#queue = this.#queue.filter((waiting) => waiting !== entry);
  }

  #refuseWords(reason) {
    this.#queue.filter(({ command }) => WORDS.has(command.type)).forEach((entry) => this.#refuse(entry, reason));
  }

  // Pi

  async #startPi() {
    this.#boot = randomUUID();
    this.#marks.push(this.#boot);
    this.#noise = false;
    this.#enter('booting');
    let pi;
    try {
      this.#journal.append({
        type: 'keeper_boot',
        boot: this.#boot,
        protocol: PROTOCOL,
        image: imageHash(),
        pi: installedPi().version,
        session: this.#config.session,
      });
      pi = new Pi(this.#config, markOf(this.#boot), {
        hears: (record, bytes) => this.#hear(record, bytes),
        noise: () => this.#hearNoise(),
        ends: (exit) => this.#ended(exit),
      });
      this.#pi = pi;
    } catch (error) {
      this.trouble(error);
      this.#ended({ code: null, signal: null, stderr: String(error.message) });
      return;
    }
    const state = await within(this.#ask({ type: 'get_state' }), READY_MS);
    if (!state) {
      pi.kill();
      return;
    }
    const { messageCount, model } = state.data ?? {};
    this.#lost = this.#begun && !messageCount;
    this.#journal.append({
      type: 'keeper_ready',
      boot: this.#boot,
      messages: messageCount ?? 0,
      provider: model?.provider ?? 'unknown',
      model: model?.id ?? 'unknown',
    });
    this.#enter('idle');
    this.#pump();
  }

  #hear(record, bytes) {
    if (record.type.startsWith('keeper_')) {
      this.#hearNoise();
      return;
    }
    if (record.type === 'response') {
      this.#answered(record);
      if (String(record.id).startsWith(OWN)) {
        return;
      }
    }
    // The status first: whoever reads that a run has settled may start another session at once.
    this.#follow(record);
    if (record.type === 'agent_settled') {
      // Whoever reads this need not start a program to find nothing.
      record.displayed = displayed(this.#config.cwd);
    }
    this.#thinner.accept(record, bytes);
    this.#pump();
  }

  #hearNoise() {
    if (!this.#noise) {
      this.#noise = true;
      this.#journal.append({ type: 'keeper_trouble', reason: 'noise' });
    }
  }

  #answered(record) {
    const waiter = this.#waiters.get(record.id);
    if (waiter) {
      this.#waiters.delete(record.id);
      waiter(record);
    }
    // Pi's answer to a line it could not parse has no id.
    if (this.#inFlight && (record.id === this.#inFlight.id || record.command === 'parse')) {
      const { id, type } = this.#inFlight;
      this.#inFlight = null;
      if (!record.success) {
        this.#asked = this.#asked.filter((asked) => asked.id !== id);
        if (this.#phase === 'starting') {
          this.#enter('idle');
        }
      } else if (type === 'prompt' && this.#phase === 'idle') {
        // It was meant for a run that settled meanwhile, so it begins one.
        this.#enter('starting');
      }
    }
    if (record.command === 'clear_queue' && record.success) {
      const cleared = [...(record.data?.steering ?? []), ...(record.data?.followUp ?? [])];
      cleared.forEach((text) => this.#commandOf(text));
    }
  }

  #follow(record) {
    switch (record.type) {
      case 'agent_start':
        this.#enter('running');
        break;
      case 'agent_settled':
        // Before the run's own start Pi may settle what came in between.
        if (this.#phase === 'running') {
          this.#enter('idle');
          this.#dialogs.clear();
          if (!WORDS.has(this.#inFlight?.type)) {
            this.#tidy();
          }
        }
        break;
      case 'message_end':
        // With the first answer Pi writes its session down.
        this.#begun ||= record.message?.role === 'assistant';
        break;
      case 'extension_ui_request':
        if (DIALOGS.has(record.method) && typeof record.id === 'string') {
          this.#dialogs.set(record.id, Date.now() + Math.min(record.timeout ?? DIALOG_MS_MAX, DIALOG_MS_MAX));
        }
        break;
    }
  }

  #ended({ code, signal, stderr }) {
    const running = this.#busy();
    const booting = this.#phase === 'booting';
    this.#pi = null;
    this.#inFlight = null;
    this.#asked = [];
    this.#dialogs.clear();
    this.#thinner.end();
    this.#waiters.forEach((waiter) => waiter(null));
    this.#waiters.clear();
    this.#journal.append({ type: 'keeper_exit', boot: this.#boot, code, signal, stderr, running });
    if (booting) {
      this.#queue.slice().forEach((entry) => this.#refuse(entry, 'not_started'));
    }
    this.#enter('off');
    this.#tidy();
  }

  // A run and its end

  #stop() {
    this.#refuseWords('stopped');
    this.#stopping ??= this.#endRun().finally(() => {
      this.#stopping = null;
      this.#pump();
    });
    return this.#stopping;
  }

  async #endRun() {
    if (this.#pi && this.#phase !== 'booting') {
      const gone = this.#gone();
      // An abort before the run has begun does nothing, and the run begins after it.
      await within(this.#entered((phase) => phase !== 'starting'), STARTING_MS / 2);
      this.#cancelDialogs();
      const aborted = this.#ask({ type: 'clear_queue' }).then(() => this.#ask({ type: 'abort' }));
      if (!(await within(Promise.race([aborted, gone]), SETTLE_MS))) {
        this.#pi?.kill();
        await within(gone, SETTLE_MS);
      }
    }
    await this.#tidy();
  }

  #cancelDialogs() {
    for (const id of this.#dialogs.keys()) {
      this.#pi?.say({ type: 'extension_ui_response', id, cancelled: true });
    }
    this.#dialogs.clear();
  }

  #tick() {
    const now = Date.now();
    for (const [id, until] of this.#dialogs) {
      if (until <= now) {
        this.#dialogs.delete(id);
      }
    }
    if (this.#phase === 'starting' && !this.#inFlight && now - this.#since > STARTING_MS) {
      // An extension answered the prompt and no run will come of it.
      this.#enter('idle');
      this.#pump();
    }
    // While a person is asked something the clock stands.
    if (this.#phase === 'running' && this.#dialogs.size === 0) {
      this.#ranMs += TICK_MS;
      const seconds = this.#config.limitSeconds ?? LIMIT_SECONDS;
      if (this.#ranMs >= seconds * 1_000 && !this.#limited) {
        this.#limited = true;
        this.#journal.append({ type: 'keeper_limit', seconds });
        this.#stop();
      }
    }
    if (this.#stopping) {
      this.#cancelDialogs();
    }
  }

  /** Ends what Pi left running; what comes next waits until that is done, so that nothing new is ended. */
  #tidy() {
    this.#tidying ??= this.#endLeftovers().finally(() => {
      this.#tidying = null;
      this.#pump();
    });
    return this.#tidying;
  }

  async #endLeftovers() {
    let ended = 0;
    for (const boot of [...this.#marks]) {
      ended += await endMarked(markOf(boot), this.#pi?.pid);
      if (!this.#pi || boot !== this.#boot) {
        await endMarked(besideOf(boot));
      }
      if (boot !== this.#boot) {
        this.#marks = this.#marks.filter((mark) => mark !== boot);
      }
    }
    if (ended > 0) {
      this.#journal.append({ type: 'keeper_leftovers', ended });
    }
  }

  // State

  #enter(phase) {
    if (phase === this.#phase) {
      return;
    }
    if (this.#phase === 'idle') {
      this.#ranMs = 0;
      this.#limited = false;
    }
    this.#phase = phase;
    this.#since = Date.now();
    this.#writeStatus();
    this.#phaseChanged.splice(0).forEach((changed) => changed());
  }

  #phaseChanged = [];

  async #entered(matches) {
    while (!matches(this.#phase)) {
      await new Promise((changed) => this.#phaseChanged.push(changed));
    }
    return true;
  }

  #gone() {
    return this.#entered((phase) => phase === 'off');
  }

  #busy() {
    return this.#phase === 'starting' || this.#phase === 'running';
  }

  /** A command of the keeper's own; null when Pi is gone before it answered. */
  #ask(command) {
    return new Promise((answer) => {
      const id = `${OWN}${this.#boot}-${++this.#own}`;
      if (!this.#pi) {
        answer(null);
        return;
      }
      this.#waiters.set(id, answer);
      this.#pi.say({ ...command, id });
    });
  }

  /** The id of the oldest command with this text that has not been heard of since. */
  #commandOf(text) {
    const at = this.#asked.findIndex((asked) => asked.text === text);
    return at === -1 ? undefined : this.#asked.splice(at, 1)[0].id;
  }

  #writeStatus() {
    const { session, cwd, model, permissions, key } = this.#config;
    const { boot } = lastStatus();
    try {
      writeAside(
        places.status,
        JSON.stringify({
          pid: process.pid,
          protocol: PROTOCOL,
          image: imageHash(),
          pi: installedPi().version,
          boot: this.#boot ?? boot,
          session,
          cwd,
          model,
          permissions,
          keyed: keyed(session, key),
          phase: this.#phase,
        }),
      );
    } catch (error) {
      this.trouble(error);
    }
  }

  #beat() {
    try {
      const now = new Date();
      utimesSync(places.status, now, now);
    } catch {
      this.#writeStatus();
    }
  }
}

function markOf(boot) {
  return `GORKIE_BOOT=${boot}`;
}

/** What lives as long as Pi does, and not only for a run. */
function besideOf(boot) {
  return `GORKIE_BESIDE=${boot}`;
}

/** The promise's value, or undefined when it takes longer. */
async function within(promise, ms) {
  const timer = new AbortController();
  try {
    return await Promise.race([promise, sleep(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

function givenIds() {
  let text = '';
  try {
    text = readFileSync(places.given, 'utf8');
  } catch {
    return [];
  }
  // Half an id from a crash would glue itself to the next one.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) {
    truncateSync(places.given, Buffer.byteLength(whole));
  }
  return whole.split('\n').filter(Boolean);
}

function appendSynced(path, text) {
  const fd = openSync(path, 'a', 0o600);
  try {
    writeAll(fd, Buffer.from(text));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
