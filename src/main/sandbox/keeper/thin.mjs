// What of Pi's records goes into the journal. A 20 KB answer is more than a megabyte as Pi tells it.

const DELTA_MS = 250;
const DELTA_CHARS = 2_000;
const UPDATE_MS = 1_000;
const UPDATE_CHARS = 500;
const ARGUMENT_CHARS = 2_000;
const ARGUMENTS_CHARS_MAX = 16_000;
const ARGUMENT_ITEMS_MAX = 50;
const RESULT_CHARS = 2_000;
const DATA_BYTES = 2_000;
const WHOLE_BYTES = 8 * 1024;
// The extension's own 6,000 characters, each of them escaped twice.
const QUESTION_BYTES = 96 * 1024;
const RECORD_BYTES_MAX = 1024 * 1024;
const HEAD_CHARS = 1_000;
const CUT = '\n…\n';

export class Thinner {
  #emit;
  #commandOf;
  #delta = null;
  #deltaTimer = null;
  #updates = new Map();

  /** `emit` takes a record for the journal; `commandOf` finds the id of the command a user's text came from. */
  constructor(emit, commandOf) {
    this.#emit = emit;
    this.#commandOf = commandOf;
  }

  accept(record, bytes) {
    if (record.type === 'message_update') {
      this.#update(record.assistantMessageEvent ?? {});
      return;
    }
    if (record.type === 'tool_execution_update') {
      this.#toolUpdate(record);
      return;
    }
    const thin = this.#thin(record, bytes);
    if (thin) {
      this.flush();
      this.#emit(bounded(thin));
    }
  }

  /** What was held back to be joined with what follows. */
  flush() {
    clearTimeout(this.#deltaTimer);
    this.#deltaTimer = null;
    if (this.#delta) {
      const { contentIndex, text } = this.#delta;
      this.#delta = null;
      this.#emitDelta(contentIndex, text);
    }
  }

  /** Pi is gone: nothing more will come. */
  end() {
    this.flush();
    this.#updates.forEach(({ timer }) => clearTimeout(timer));
    this.#updates.clear();
  }

  #update(event) {
    switch (event.type) {
      case 'text_delta':
        this.#text(event.contentIndex, String(event.delta ?? ''));
        break;
      case 'thinking_start':
        this.flush();
        this.#emit(update({ type: event.type, contentIndex: event.contentIndex }));
        break;
      case 'toolcall_start': {
        const { type, contentIndex, id, toolName } = event;
        this.flush();
        this.#emit(bounded(update({ type, contentIndex, id, toolName })));
        break;
      }
    }
  }

  #text(contentIndex, text) {
    if (this.#delta && this.#delta.contentIndex !== contentIndex) {
      this.flush();
    }
    this.#delta ??= { contentIndex, text: '' };
    this.#delta.text += text;
    while (this.#delta.text.length >= DELTA_CHARS) {
      const piece = head(this.#delta.text, DELTA_CHARS);
      this.#emitDelta(contentIndex, piece);
      this.#delta.text = this.#delta.text.slice(piece.length);
    }
    if (!this.#delta.text) {
      this.#delta = null;
    } else {
      this.#deltaTimer ??= setTimeout(() => this.flush(), DELTA_MS);
    }
  }

  #emitDelta(contentIndex, delta) {
    this.#emit(update({ type: 'text_delta', contentIndex, delta }));
  }

  /** Pi's updates repeat all that was printed; the newest of each second is enough. */
  #toolUpdate({ type, toolCallId, toolName, partialResult }) {
    const text = textOf(partialResult?.content);
    if (!text) {
      return;
    }
    const record = { type, toolCallId, toolName, partialResult: { content: [{ type: 'text', text: tail(text, UPDATE_CHARS) }] } };
    const waiting = this.#updates.get(toolCallId);
    if (waiting) {
      waiting.record = record;
      return;
    }
    this.#tell(record);
    this.#rest(toolCallId);
  }

  #rest(toolCallId) {
    const rest = { record: null };
    rest.timer = setTimeout(() => {
      this.#updates.delete(toolCallId);
      if (rest.record) {
        this.#tell(rest.record);
        this.#rest(toolCallId);
      }
    }, UPDATE_MS);
    this.#updates.set(toolCallId, rest);
  }

  #tell(record) {
    this.flush();
    this.#emit(bounded(record));
  }

  #thin(record, bytes) {
    switch (record.type) {
      case 'message_start':
        return ['user', 'assistant'].includes(record.message?.role) ? { type: record.type, message: { role: record.message.role } } : null;
      case 'message_end':
        return this.#message(record);
      case 'turn_start':
      case 'turn_end':
      case 'entry_appended':
        return null;
      case 'tool_execution_start':
        return { ...record, args: shortened(record.args, { left: ARGUMENTS_CHARS_MAX }) };
      case 'tool_execution_end':
        clearTimeout(this.#updates.get(record.toolCallId)?.timer);
        this.#updates.delete(record.toolCallId);
        return { ...record, result: result(record.result) };
      case 'agent_end': {
        const { messages, ...rest } = record;
        return rest;
      }
      case 'response': {
        const { data, ...rest } = record;
        return data !== undefined && bytesOf(data) < DATA_BYTES ? record : rest;
      }
      case 'extension_ui_request':
        // Cut, it could be answered by nobody, and Pi would wait for the answer.
        return bytes <= QUESTION_BYTES ? record : oversize(record.type, bytes, JSON.stringify(record));
      default:
        return bytes <= WHOLE_BYTES ? record : oversize(record.type, bytes, JSON.stringify(record));
    }
  }

  #message({ type, message = {} }) {
    const { role, timestamp } = message;
    if (role === 'user') {
      const text = textOf(message.content);
      const command = this.#commandOf(text);
      const content = [{ type: 'text', text: head(text, ARGUMENT_CHARS) }];
      return { type, message: command ? { role, command, timestamp } : { role, content, timestamp } };
    }
    if (role === 'assistant') {
      const { stopReason, errorMessage, usage, model, provider } = message;
      const content = blocks(message.content).filter((block) => block.type === 'text').map(({ text }) => ({ type: 'text', text }));
      return { type, message: { role, content, stopReason, errorMessage, usage, model, provider, timestamp } };
    }
    return null;
  }
}

/** What stands in for a record that is too long: its size and its head. */
export function oversize(type, bytes, text) {
  return { type, oversize: bytes, head: head(text, HEAD_CHARS) };
}

/** The type of a record too long to be parsed. */
export function typeIn(text) {
  return /"type"\s*:\s*"(\w{1,64})"/.exec(text)?.[1] ?? 'unknown';
}

export function textOf(content) {
  return typeof content === 'string' ? content : blocks(content).filter((block) => block.type === 'text').map((block) => block.text).join('');
}

/** At most `chars` from the beginning, never half of a surrogate pair. */
export function head(text, chars) {
  const end = isHigh(text.charCodeAt(chars - 1)) && text.length > chars ? chars - 1 : chars;
  return text.slice(0, end);
}

/** At most `chars` from the end. */
export function tail(text, chars) {
  const from = Math.max(0, text.length - chars);
  return text.slice(from > 0 && isHigh(text.charCodeAt(from - 1)) ? from + 1 : from);
}

function isHigh(unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function update(assistantMessageEvent) {
  return { type: 'message_update', assistantMessageEvent };
}

function blocks(content) {
  return Array.isArray(content) ? content.filter((block) => block && typeof block === 'object') : [];
}

function bounded(record) {
  const text = JSON.stringify(record);
  return text.length > RECORD_BYTES_MAX ? oversize(record.type, Buffer.byteLength(text), text) : record;
}

/** The same value with long strings, long lists and deep nests cut; `budget` is for all its strings together. */
function shortened(value, budget, depth = 0) {
  if (typeof value === 'string') {
    const kept = head(value, Math.min(ARGUMENT_CHARS, budget.left));
    budget.left -= kept.length;
    return kept;
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (depth > 8) {
    return null;
  }
  if (Array.isArray(value)) {
    return value.slice(0, ARGUMENT_ITEMS_MAX).map((item) => shortened(item, budget, depth + 1));
  }
  const entries = Object.entries(value).slice(0, ARGUMENT_ITEMS_MAX);
  return Object.fromEntries(entries.map(([key, item]) => [head(key, 200), shortened(item, budget, depth + 1)]));
}

function result(value) {
  const text = textOf(value?.content);
  const images = blocks(value?.content).filter((block) => block.type === 'image').slice(0, ARGUMENT_ITEMS_MAX);
  const content = [
    ...(text ? [{ type: 'text', text: headAndTail(text) }] : []),
    ...images.map(({ mimeType, data }) => ({ type: 'image', mimeType, bytes: Math.floor(((data?.length ?? 0) * 3) / 4) })),
  ];
  const details = value?.details;
  return details !== undefined && bytesOf(details) < DATA_BYTES ? { content, details } : { content };
}

function headAndTail(text) {
  if (text.length <= RESULT_CHARS) {
    return text;
  }
  const half = (RESULT_CHARS - CUT.length) >> 1;
  return head(text, half) + CUT + tail(text, half);
}

function bytesOf(value) {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
