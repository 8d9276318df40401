import { DocumentRefused } from '../document-refused.ts';
import { MAX_DEPTH, MAX_TEXT } from '../limits.ts';
import { type Parsed, Segments, textTooLarge } from '../segment.ts';

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

const tooDeep = () =>
  new DocumentRefused('too_deep', `This JSON is nested more than ${MAX_DEPTH} levels deep. Upload it in a flatter form.`);

function at(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Checks the nesting of brackets outside strings, so that the parser only gets text that is not too deep. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      for (index++; index < text.length && text.charCodeAt(index) !== 0x22; index++) if (text.charCodeAt(index) === 0x5c) index++;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) throw tooDeep();
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
}

function addValue(found: Segments, value: unknown, path: string, isTight: boolean): void {
  if (value === null || typeof value !== 'object') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    found.add(path === '' ? text : `${path}: ${text}`, 'row', isTight);
    return;
  }
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  let isFirst = true;
  for (const [key, child] of entries) {
    addValue(found, child, typeof key === 'number' ? `${path}[${key}]` : at(path, key), isTight || !isFirst);
    isFirst = false;
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DocumentRefused(
      'damaged',
      `This file is not valid JSON: ${(error as Error).message.slice(0, 120).toWellFormed()}. Correct it and upload it again.`,
    );
  }
};

function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end === -1) return false;
  try {
    JSON.parse(text.slice(0, end));
    return text.slice(end).trim() !== '';
  } catch {
    return false;
  }
}

/** JSON, or one value per line. Each value becomes a line `a.b[0]: value`. */
export function parseJson(source: string): Parsed {
  const text = source.replace(/^\uFEFF/, '').trim();
  if (text.length > MAX_TEXT) throw textTooLarge();
  checkDepth(text);
  const found = new Segments();
  if (isLines(text)) {
    for (const line of text.split('\n')) if (line.trim() !== '') addValue(found, parse(line), '', false);
  } else addValue(found, parse(text), '', false);
  return { title: null, segments: found.all };
}
