import { refuse } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type CallBody, invalid, LONGEST_MODEL } from './caller-body.ts';
import type { Span } from './json-members.ts';

const END_OF_LINE = '\r\n';
const END_OF_HEADERS = '\r\n\r\n';
const MOST_PARTS = 100;
const LONGEST_HEADERS_BYTES = 4_096;
/** Bytes that are searched before other work may have a turn. */
const SLICE_BYTES = 128 * 1024;
const BOUNDARY = /^multipart\/form-data *;(?:[^;]*;)* *boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+./:=?-]{1,70}))\s*(?:;.*)?$/i;
/** Other forms may be read in another way by the provider's server. */
const DISPOSITION =
  /^content-disposition: *form-data; *name="([^"\\%]+)"(; *filename\*?=("(?:[^"\\]|\\.)*"|[^;"]*)(?:; *filename\*=[^;"]*)?)?$/i;
const OTHER_ENCODING =
  /^content-transfer-encoding: *(?!(?:binary|8bit|7bit)$)|^content-type:.*charset=(?!"?(?:utf-8|us-ascii|iso-8859-1)"?$)/im;

export interface FormPart extends Span {
  readonly name: string;
  readonly isFile: boolean;
  /** As it is written in the header, without its quotes. Empty if there is none. */
  readonly fileName: string;
}

/** The parts of a form. Rejects with the refusal `malformed_body` (invalid). */
export async function formPartsOf(bytes: Buffer, contentType: string | undefined): Promise<readonly FormPart[]> {
  const [, quoted, plain = quoted] = BOUNDARY.exec(String(contentType)) ?? [];
  if (plain === undefined || String(contentType).match(/boundary=/gi)?.length !== 1) throw malformed();
  return partsOf(bytes, plain);
}

/** A caller's form with a file, whose bytes are kept. */
export class MultipartBody implements CallBody {
  readonly isStreamed = false;
  readonly maxTokens = null;
  readonly choices = 1;
  readonly wantsUsage = true;
  readonly model: string;
  private readonly place: FormPart;

  /** Rejects with the refusals `malformed_body` and `invalid_body` (invalid). */
  static async read(bytes: Buffer, contentType: string | string[] | undefined): Promise<MultipartBody> {
    const type = String(contentType);
    return new MultipartBody(bytes, type, await formPartsOf(bytes, type));
  }

  private constructor(
    readonly bytes: Buffer,
    readonly contentType: string,
    private readonly parts: readonly FormPart[],
  ) {
    for (const { name } of parts) if (name !== 'model' && isLikeModel(name)) throw invalid('model', 'must be written in small letters');
    const [place, another] = parts.filter(({ name }) => name === 'model');
    if (another) throw malformed();
    const length = place ? place.to - place.from : 0;
    if (!place || place.isFile || length === 0 || length > LONGEST_MODEL) throw invalid('model', 'must be the ID of a model');
    this.place = place;
    this.model = bytes.toString('utf8', place.from, place.to);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** The content of the first file. */
  get file(): Buffer {
    const file = this.parts.find(({ isFile }) => isFile);
    return file ? this.bytes.subarray(file.from, file.to) : Buffer.alloc(0);
  }

  /** The bytes for the provider. Nothing but the model is changed. */
  partsFor(model: string): readonly Buffer[] {
    const { from, to } = this.place;
    return [this.bytes.subarray(0, from), Buffer.from(model), this.bytes.subarray(to)];
  }
}

async function partsOf(bytes: Buffer, boundary: string): Promise<readonly FormPart[]> {
  const delimiter = Buffer.from(`${END_OF_LINE}--${boundary}`);
  const begin = delimiter.subarray(END_OF_LINE.length);
  if (!bytes.subarray(0, begin.length).equals(begin)) throw malformed();
  const parts: FormPart[] = [];
  for (let at = begin.length; ;) {
    const from = at + END_OF_LINE.length;
    const mark = bytes.toString('latin1', at, from);
    if (mark === '--' && ['', END_OF_LINE].includes(bytes.toString('latin1', from))) return parts;
    if (mark !== END_OF_LINE || parts.length === MOST_PARTS) throw malformed();
    const end = bytes.subarray(from, from + LONGEST_HEADERS_BYTES).indexOf(END_OF_HEADERS);
    if (end < 0) throw malformed();
    const start = from + end + END_OF_HEADERS.length;
    const to = await indexOf(bytes, delimiter, start);
    if (to < 0) throw malformed();
    parts.push({ ...namedIn(bytes.toString('latin1', from, from + end)), from: start, to });
    at = to + delimiter.length;
  }
}

async function indexOf(bytes: Buffer, sought: Buffer, from: number): Promise<number> {
  for (let at = from; at < bytes.length; at += SLICE_BYTES) {
    const found = bytes.subarray(at, at + SLICE_BYTES + sought.length - 1).indexOf(sought);
    if (found >= 0) return at + found;
    if (isTurnOver()) await nextTurn();
  }
  return -1;
}

function namedIn(headers: string): Omit<FormPart, keyof Span> {
  const lines = headers.split(END_OF_LINE);
  const [disposition, another] = lines.filter((line) => /^content-disposition *:/i.test(line));
  const [, name, file, fileName = ''] = DISPOSITION.exec(disposition ?? '') ?? [];
  // A line that begins with a space continues the one before.
  const isOdd = lines.some((line) => /^\s|[\r\n]/.test(line) || OTHER_ENCODING.test(line));
  if (name === undefined || another !== undefined || isOdd || name === '_charset_') throw malformed();
  return { name, isFile: file !== undefined, fileName: plainOf(fileName) };
}

/** A quoted name is in UTF-8. Browsers and clients escape quotes in it as `%22` or with a backslash. */
function plainOf(text: string): string {
  const unquoted = text.startsWith('"')
    ? text
        .slice(1, -1)
        .replace(/\\(["\\])/g, '$1')
        .replaceAll('%22', '"')
    : text.trim();
  return Buffer.from(unquoted, 'latin1').toString();
}

/** Some servers read names in any case, or take the last one. */
const isLikeModel = (name: string): boolean => name.trim().toUpperCase().toLowerCase() === 'model';

const malformed = () =>
  refuse(
    'invalid',
    'malformed_body',
    'The body must be multipart/form-data, whose parts have plain names, and whose model is not repeated.',
  );
