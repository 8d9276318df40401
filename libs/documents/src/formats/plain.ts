import { MAX_TEXT } from '../limits.ts';
import { headingOf, type Parsed, type Segment, Segments, textTooLarge } from '../segment.ts';

const BLANK_LINE = /\n[^\S\n]*\n/g;

/** The parts between blank lines. */
function* parts(text: string): Generator<string> {
  let start = 0;
  for (const { index } of text.matchAll(BLANK_LINE)) {
    yield text.slice(start, index);
    start = index;
  }
  yield text.slice(start);
}

/** Paragraphs of a text. Form feeds start pages. */
function* paragraphs(text: string): Generator<Segment> {
  const pages = text.includes('\f') ? text.split('\f') : [text];
  for (const [index, page] of pages.entries())
    for (const paragraph of parts(page))
      if (paragraph.trim() !== '') yield { text: paragraph, kind: 'prose', page: pages.length > 1 ? index + 1 : null, heading: null };
}

export function parsePlain(text: string): Parsed {
  if (text.length > MAX_TEXT) throw textTooLarge();
  return { title: null, segments: paragraphs(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')) };
}

const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const ROW = /^\s*\|.*\|\s*$/;

/** Markdown as written, with its headings recognised. Code keeps its line breaks. */
export function parseMarkdown(text: string): Parsed {
  if (text.length > MAX_TEXT) throw textTooLarge();
  const found = new Segments();
  let title: string | null = null;
  let pending: string[] = [];
  let isCode = false;
  const flush = () => {
    const isTable = pending.length > 1 && pending.every((line) => ROW.test(line));
    if (isTable) for (const [index, line] of pending.entries()) found.add(line, 'row', index > 0);
    else found.add(pending.join('\n'), 'prose');
    pending = [];
  };
  const open = (line: string, heading: string) => {
    flush();
    title ??= headingOf(heading);
    found.open(heading, false);
    found.add(line, 'heading');
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (FENCE.test(line)) isCode = !isCode;
    const heading = isCode ? null : HEADING.exec(line);
    if (heading !== null) open(line, heading[2]!);
    else if (!isCode && pending.length === 1 && UNDERLINE.test(line) && !ROW.test(pending[0]!) && pending[0]!.trim() !== '') {
      const [above] = pending;
      pending = [];
      open(`${above}\n${line}`, above!);
    } else if (line.trim() === '' && !isCode) flush();
    else pending.push(line);
  }
  flush();
  return { title, segments: found.all };
}
