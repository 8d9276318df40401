import { MOST_FORMULAS } from './bounds.ts';

/**
 * The first alternatives skip code; the others are the notations that models use for formulas. Their length is bounded, so that many
 * openings without an end do not take long.
 */
const CODE_OR_FORMULA =
  /(?<code>^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))|(?<ticks>`+)[^`][\s\S]*?\k<ticks>)|^(?<indent>[ \t]*)\$\$(?<display>(?:(?!\$\$)[\s\S]){1,4000}?)\$\$[ \t]*$|(?<own>\$\$[\s\S]{0,4000}?\$\$)|\\\[(?<block>[\s\S]{1,4000}?)\\\]|\\\((?<inline>.{1,1000}?)\\\)|(?<![\\$\w])\$(?<dollar>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\d$])/gm;

/**
 * Rewrites all formulas with two dollars, the only notation the parser reads. Formulas on their own lines are displayed on their own lines.
 * A single dollar is an amount of money unless it encloses a formula.
 */
export function withFormulas(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text.replaceAll(CODE_OR_FORMULA, (whole: string, ...rest: unknown[]) => {
    const { indent = '', display, block, inline, dollar } = rest.at(-1) as Record<string, string | undefined>;
    if (display !== undefined) return `${indent}$$\n${indent}${display.trim()}\n${indent}$$`;
    if (block !== undefined) return `\n$$\n${block.trim()}\n$$\n`;
    const formula = inline ?? dollar;
    return formula === undefined ? whole : `$$${formula.trim()}$$`;
  });
}

/** Whether the formulas of a block are drawn. If there are too many, their source is shown. */
export function hasFormula(text: string): boolean {
  const marks = text.split('$$').length - 1;
  return marks > 0 && marks <= 2 * MOST_FORMULAS;
}
