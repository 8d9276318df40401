/** Characters of a title, counted as code points. */
export const MAX_TITLE = 100;
/** The title of a conversation whose first message has no words. */
export const UNTITLED = 'New conversation';

/** Characters of a text that the rule reads. */
const LOOKED_AT = 1_000;

/** A title from a text: its first words, as many as fit. A first word that is too long is cut. */
export function titleByRule(text: string): string {
  const words = text.slice(0, LOOKED_AT).split(/\s+/u).filter(Boolean);
  let title = '';
  for (const word of words) {
    const longer = title === '' ? word : `${title} ${word}`;
    if (lengthOf(longer) > MAX_TITLE) return title === '' ? [...word].slice(0, MAX_TITLE).join('') : title;
    title = longer;
  }
  return title === '' ? UNTITLED : title;
}

/** A title from a model's answer: its first line with words, without surrounding quotes and marks. */
export function titleFromAnswer(answer: string): string | null {
  const line = answer.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each));
  if (line === undefined) return null;
  const bare = line
    .replace(/^\s*(?:title\s*:)?[\s"'“”„«»‘’*_#`]+/iu, '')
    .replace(/[\s"'“”„«»‘’*_`.]+$/u, '')
    .replace(/^title\s*:\s*/iu, '');
  return bare === '' ? null : titleByRule(bare);
}

const lengthOf = (text: string): number => [...text].length;
