// Node runs this source without compiling it in tests; see limits.ts.
import { isUtf8 } from 'node:buffer';
import { DEEPEST, MOST_VALUES } from './limits.ts';
import { ImportFault } from './import-fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses JSON. Checks its depth and number of values first, because JSON.parse limits neither. */
export class BoundedJson {
  private values = 0;

  /** Throws `ImportFault`. `what` names the text in the message. */
  parse(bytes: Buffer, what: string): unknown {
    if (!isUtf8(bytes)) throw new ImportFault('invalid_import', `${what} is not UTF-8.`);
    this.count(bytes, what);
    const text = bytes.toString('utf8');
    try {
      return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    } catch {
      throw new ImportFault('invalid_import', `${what} is not JSON.`);
    }
  }

  private count(bytes: Buffer, what: string): void {
    let depth = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) at = endOfText(bytes, at);
      else if (byte === COMMA) this.values++;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.values++;
        if (++depth > DEEPEST) throw new ImportFault('invalid_import', `${what} is nested deeper than ${DEEPEST} levels.`);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      if (this.values > MOST_VALUES)
        throw new ImportFault('import_too_large', `The import has more than ${MOST_VALUES} values. Split it into several files.`);
    }
  }
}

function endOfText(bytes: Buffer, open: number): number {
  let at = open + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
