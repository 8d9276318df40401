import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_DEPTH, MAX_TEXT } from '../limits.ts';
import { headingOf, oneLine, type Parsed, Segments, textTooLarge } from '../segment.ts';
import { addTable } from './rows.ts';

/** The parts of a DOM that are read. */
interface Node {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly firstChild: Node | null;
  readonly nextSibling: Node | null;
  readonly parentNode: Node | null;
  readonly parentElement: Node | null;
}
interface Page extends Node {
  readonly documentElement: Node | null;
  readonly title: string;
  querySelector(selector: string): Node | null;
}

const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'OBJECT', 'SELECT', 'BUTTON', 'MATH']);
const INLINE = new Set(
  'A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR IMG'.split(' '),
);
const MAX_ELEMENTS = 1_000_000;
const TEXT = 3;
const ELEMENT = 1;

const tooDeep = () =>
  new DocumentRefused('too_deep', `This page is nested more than ${MAX_DEPTH} levels deep. Save it in a simpler form, such as PDF or TXT.`);
const upper = (node: Node) => node.nodeName.toUpperCase();

/** Walks a tree without recursion. `enter` returns false to skip the nodes below a node. */
function walk(root: Node, enter: (node: Node) => boolean, leave: (node: Node) => void): void {
  let node = root;
  for (;;) {
    let next: Node | null = enter(node) ? node.firstChild : null;
    if (next !== null) {
      node = next;
      continue;
    }
    leave(node);
    while (node !== root && (next = node.nextSibling) === null) {
      node = node.parentNode!;
      leave(node);
    }
    if (node === root || next === null) return;
    node = next;
  }
}

function textBelow(root: Node): string {
  const parts: string[] = [];
  walk(
    root,
    (node) => {
      if (node.nodeType === TEXT) parts.push(node.nodeValue ?? '');
      else if (upper(node) === 'BR' || !INLINE.has(upper(node))) parts.push(' ');
      return !SKIPPED.has(upper(node));
    },
    () => {},
  );
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function rowsOf(table: Node): string[][] {
  const rows: string[][] = [];
  walk(
    table,
    (node) => {
      const name = upper(node);
      if (name === 'TR') rows.push([]);
      if (name !== 'TD' && name !== 'TH') return true;
      rows.at(-1)?.push(textBelow(node).replaceAll('|', '\\|'));
      return false;
    },
    () => {},
  );
  return rows;
}

/** A table with one column is layout. So is a table that contains tables, which would be lost as cells. */
function isLayout(table: Node): boolean {
  let hasInner = false;
  let widest = 0;
  let width = 0;
  walk(
    table,
    (node) => {
      if (node !== table && upper(node) === 'TABLE') hasInner = true;
      if (upper(node) === 'TR') width = 0;
      if (upper(node) === 'TD' || upper(node) === 'TH') widest = Math.max(widest, ++width);
      return !hasInner;
    },
    () => {},
  );
  return hasInner || widest < 2;
}

/** Adds the text below a node: headings, paragraphs, list items, tables as rows. */
export function addBlocks(found: Segments, root: Node): void {
  let text = '';
  let mark = '';
  let isPre = 0;
  let isItem = false;
  const flush = () => {
    const block =
      isPre > 0
        ? text
        : text
            .replace(/[^\S\n]+/g, ' ')
            .replace(/ ?\n ?/g, '\n')
            .trim();
    if (block.trim() !== '') found.add(mark + block, 'prose', isItem);
    if (block.trim() !== '') isItem = mark !== '';
    text = '';
    mark = '';
  };
  walk(
    root,
    (node) => {
      if (node.nodeType === TEXT) {
        const value = node.nodeValue ?? '';
        text += isPre > 0 ? value : value.replace(/\s+/g, ' ');
        return false;
      }
      const name = upper(node);
      if (node.nodeType === ELEMENT && SKIPPED.has(name)) return false;
      if (INLINE.has(name)) return true;
      if (name === 'BR') {
        text += '\n';
        return false;
      }
      flush();
      if (name !== 'LI' && name !== 'UL' && name !== 'OL') isItem = false;
      if (/^H[1-6]$/.test(name)) {
        found.open(textBelow(node));
        return false;
      }
      if (name === 'TABLE' && !isLayout(node)) {
        addTable(found, rowsOf(node));
        return false;
      }
      if (name === 'PRE') isPre++;
      if (name === 'LI') mark = '- ';
      return true;
    },
    (node) => {
      if (node.nodeType === TEXT || INLINE.has(upper(node)) || upper(node) === 'BR') return;
      flush();
      if (upper(node) === 'PRE') isPre--;
    },
  );
  flush();
}

/** Refuses a tree that is too deep or too large, before anything traverses it recursively. */
function checkTree(root: Node): void {
  let depth = 0;
  let elements = 0;
  walk(
    root,
    () => {
      if (++depth > MAX_DEPTH) throw tooDeep();
      if (++elements > MAX_ELEMENTS) throw textTooLarge();
      return true;
    },
    () => {
      depth--;
    },
  );
}

/** The approximate nesting of tags in the source: an element without an end tag counts as if it stayed open for a while. */
function checkSource(source: string): void {
  let open = 0;
  for (const [tag] of source.matchAll(
    /<\/?(?:div|span|b|i|em|strong|a|ul|ol|table|tbody|tr|td|section|article|font|blockquote|center|details)\b/gi,
  )) {
    open = tag[1] === '/' ? Math.max(0, open - 1) : open + 1;
    if (open > MAX_DEPTH * 20) throw tooDeep();
  }
}

export function documentOf(source: string): Page {
  if (source.length > MAX_TEXT) throw textTooLarge();
  checkSource(source);
  // linkedom has no document element for a fragment.
  const isWhole = /<(?:html|body)\b/i.test(source);
  const { document } = parseHTML(isWhole ? source : `<!doctype html><html><head></head><body>${source}</body></html>`);
  const page = document as unknown as Page;
  if (page.documentElement !== null) checkTree(page.documentElement);
  return page;
}

const bodyOf = (page: Page) => page.querySelector('body') ?? page.documentElement;

/** The text of a file. For a web page, only its main text without menus and footers, if it has a main text. */
export function parseHtml(source: string, isWebPage: boolean): Parsed {
  const page = documentOf(source);
  const heading = page.querySelector('h1');
  const title = headingOf(page.title ?? '') ?? (heading === null ? null : headingOf(textBelow(heading)));
  const found = new Segments();
  const body = bodyOf(page);
  const all = isWebPage && body !== null ? textBelow(body).length : 0;
  if (isWebPage) {
    // Readability changes the document, so it gets its own copy.
    const article = new Readability(documentOf(source) as never, { maxElemsToParse: 100_000 }).parse();
    const main = oneLine(article?.textContent ?? '');
    // A short result next to much text means that the page is not an article, such as a list of products.
    if (article?.content && (article.textContent ?? '').trim().length >= Math.min(200, all / 4) && main !== '') {
      if (title !== null) found.open(title, false);
      addBlocks(found, bodyOf(documentOf(article.content))!);
      return { title: headingOf(article.title ?? '') ?? title, segments: found.all };
    }
  }
  if (body !== null) addBlocks(found, body);
  return { title, segments: found.all };
}
