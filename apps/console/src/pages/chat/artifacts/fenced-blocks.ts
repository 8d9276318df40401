/** A block of code in Markdown, between its fences. */
export interface FencedBlock {
  readonly language: string;
  readonly code: string;
  /** Whether the closing fence has been written. */
  readonly isClosed: boolean;
}

/** A fence may be in lists and quotes. */
const BEFORE_FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*$/;
const FENCE = /`{3,}|~{3,}/;
/** The fence of a deeper list or quote is not found. */
const LONGEST_BEFORE = 100;
const CLOSING = /^([ \t>]*)(`{3,}|~{3,})[ \t]*$/;
/** A fence that is indented further than the opening one belongs to the code. */
const FURTHEST_INDENT = 3;

interface Opening {
  readonly indent: number;
  readonly fence: string;
  readonly language: string;
}

/** The fenced blocks of a model's text, in their order. */
export function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: Opening | null = null;
  let lines: string[] = [];
  const end = (isClosed: boolean) => {
    if (open) blocks.push({ language: open.language, code: lines.join('\n'), isClosed });
    [open, lines] = [null, []];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    if (open === null) open = openingIn(line);
    else if (closes(line, open)) end(true);
    else lines.push(withoutIndent(line, open.indent));
  }
  end(false);
  return blocks;
}

function openingIn(line: string): Opening | null {
  const { 0: fence, index } = FENCE.exec(line) ?? { 0: '', index: 0 };
  if (fence === '' || index > LONGEST_BEFORE || !BEFORE_FENCE.test(line.slice(0, index))) return null;
  const after = line.slice(index + fence.length).trim();
  // Three backticks with a backtick after them are code in a line of text.
  if (fence.startsWith('`') && after.includes('`')) return null;
  return { indent: index, fence, language: after.split(/\s/, 1)[0]!.toLowerCase() };
}

function closes(line: string, { indent, fence }: Opening): boolean {
  const [, before = '', its] = CLOSING.exec(line) ?? [];
  return its !== undefined && its.startsWith(fence) && before.length <= indent + FURTHEST_INDENT;
}

/** Removes what the opening fence was indented by, which is no part of the code. */
function withoutIndent(line: string, indent: number): string {
  let start = 0;
  while (start < indent && (line[start] === ' ' || line[start] === '\t' || line[start] === '>')) start++;
  return line.slice(start);
}
