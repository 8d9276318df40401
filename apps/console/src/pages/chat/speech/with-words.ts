/** The text with words inserted at a place, and the place after them. The words are separated from the text around them. */
export function withWords(text: string, at: number, words: string): { readonly text: string; readonly cursor: number } {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const start = before === '' || /\s$/.test(before) ? before : `${before} `;
  const end = after === '' || /^[\s.,;:!?)]/.test(after) ? after : ` ${after}`;
  return { text: `${start}${words}${end}`, cursor: start.length + words.length };
}
