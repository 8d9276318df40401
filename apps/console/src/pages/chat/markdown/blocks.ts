import { Lexer } from 'marked';
import { isTooComplex, isTooDeep, MOST_FORMULAS } from './bounds.ts';

/** A piece of Markdown that can be shown by itself, such as a paragraph, a list or a block of code. */
export interface Block {
  /** Its offset in the text. Stable while the text grows. */
  readonly at: number;
  readonly text: string;
  /** Present if the block is shown as plain text, because parsing it would take too long. */
  readonly isPlain?: true;
}

/** Further text can still change the last blocks: a list can continue after an empty line. */
const OPEN_BLOCKS = 2;

/**
 * Splits Markdown into blocks. While a text grows, only its end is parsed again: earlier blocks stay the same objects and are not rendered
 * again.
 */
export function blocksOf(text: string, before: readonly Block[] = []): readonly Block[] {
  if (isTooDeep(text)) return [{ at: 0, text, isPlain: true }];
  const unchanged = before.slice(0, -OPEN_BLOCKS);
  const isGrown = unchanged.every(({ at, text: its }) => text.startsWith(its, at));
  const stable = isGrown ? unchanged : [];
  const last = stable.at(-1);
  const from = last ? last.at + last.text.length : 0;
  return withFewFormulas([...stable, ...split(text.slice(from), from)]);
}

const MAY_HAVE_FORMULA = /\$[^\n]*\$|\\[[(]/;

/** Blocks with formulas are parsed twice, and thousands of them would block the page. */
function withFewFormulas(blocks: readonly Block[]): readonly Block[] {
  let formulas = 0;
  const isOver = ({ text }: Block) => MAY_HAVE_FORMULA.test(text) && ++formulas > MOST_FORMULAS;
  return blocks.map((block) => (!block.isPlain && isOver(block) ? { ...block, isPlain: true } : block));
}

function split(text: string, from: number): Block[] {
  const pieces: { at: number; text: string; type: string }[] = [];
  let at = from;
  let isInFormula = false;
  // Only block structure is parsed here. Inline text is parsed when a block is rendered.
  for (const { raw, type } of new Lexer().blockTokens(text.replaceAll(/\r\n?/g, '\n'))) {
    const last = pieces.at(-1);
    // Empty lines belong to the preceding block, and so does the rest of a formula that contains empty lines.
    if (last && isInFormula) Object.assign(last, { text: last.text + raw, type: 'formula' });
    else if (last && type === 'space') last.text += raw;
    else pieces.push({ at, text: raw, type });
    if (type !== 'code' && type !== 'space') isInFormula = isInFormula !== (raw.match(/^\s*\$\$(?!.*\$\$)/gm) ?? []).length % 2 > 0;
    at += raw.length;
  }
  return pieces.map((piece) => ({ at: piece.at, text: piece.text, ...(isTooComplex(piece.text, piece.type) && { isPlain: true }) }));
}
