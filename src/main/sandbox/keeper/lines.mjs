// Bytes in, lines out: split at LF before anything is decoded, since U+2028 and its like stand raw in JSON strings.

const LF = 0x0a;
const HEAD_BYTES = 4096;

/** Calls `line` with each whole line's bytes; of a line over `max` only `oversize(head, bytes)` is told. */
export class Lines {
  #pieces = [];
  #bytes = 0;
  #head = null;

  constructor(max, line, oversize) {
    this.max = max;
    this.line = line;
    this.oversize = oversize;
  }

  push(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#add(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece) {
    this.#bytes += piece.length;
    if (this.#head) {
      return;
    }
    this.#pieces.push(piece);
    if (this.#bytes > this.max) {
      this.#head = Buffer.from(Buffer.concat(this.#pieces).subarray(0, HEAD_BYTES));
      this.#pieces = [];
    }
  }

  #finish() {
    if (this.#head) {
      this.oversize(this.#head, this.#bytes);
    } else if (this.#bytes > 0) {
      this.line(this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces));
    }
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = null;
  }
}
