import { MOST_FORMULAS } from './bounds.ts';

/** Code is left as it is. Formulas are bounded, so that a text of many beginnings without an end takes no long time. The other alternatives are the ways in which models write formulas. */
const CODE_OR_FORMULA =
  /(?<code>^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))|(?<ticks>`+)[^`][\s\S]*?\k<ticks>)|^(?<indent>[ \t]*)\$\$(?<display>(?:(?!\$\$)[\s\S]){1,4000}?)\$\$[ \t]*$|(?<own>\$\$[\s\S]{0,4000}?\$\$)|\\\[(?<block>[\s\S]{1,4000}?)\\\]|\\\((?<inline>.{1,1000}?)\\\)|(?<![\\$\w])\$(?<dollar>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\d$])/gm;

/** Writes all formulas with two dollars, the only way that is read. Those that have lines of their own are displayed on lines of their own. One dollar is an amount of money unless it encloses a formula. */
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

/** Whether the formulas of a block are drawn. The source of too many is shown. */
export function hasFormula(text: string): boolean {
  const marks = text.split('$$').length - 1;
  return marks > 0 && marks <= 2 * MOST_FORMULAS;
}
