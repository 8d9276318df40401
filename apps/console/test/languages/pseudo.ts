// The English texts in a pseudo-language, in the form of the files of a language. Bundled by pseudo-language.ts.
import { administration as englishAdministration } from '../../src/messages/en/administration.ts';
import { translation as english } from '../../src/messages/en/translation.ts';

const ACCENTED: Readonly<Record<string, string>> = { a: 'à', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š', y: 'ý', z: 'ž' };

/** Text in brackets, with accents, and longer by a third, as in a language with long words. */
const altered = (text: string): string =>
  `⟦${text.replaceAll(/[aeioucnsyz]/gi, (letter) => ACCENTED[letter] ?? ACCENTED[letter.toLowerCase()]!.toUpperCase())}${' ·'.repeat(Math.ceil(text.length / 6))}⟧`;

function pseudo(node: unknown): unknown {
  if (typeof node === 'string') return altered(node);
  // The values in the text stay as they are, so it is only put in brackets.
  if (typeof node === 'function') return (...values: unknown[]) => wrapped((node as (...all: unknown[]) => unknown)(...values));
  if (Array.isArray(node)) return node.map(pseudo);
  if (typeof node === 'object' && node !== null)
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, pseudo(child)]));
  return node;
}

const wrapped = (made: unknown): unknown =>
  typeof made === 'string' ? `⟦${made}${' ·'.repeat(Math.ceil(made.length / 6))}⟧` : pseudo(made);

/** The server's texts are shown instead. */
const RUNS = { sourcesFailed: () => undefined, causes: {}, problems: {} };
export const translation = { ...(pseudo(english) as typeof english), errors: {}, knowledgeReasons: RUNS, reasons: {} };
export const administration = pseudo(englishAdministration);
