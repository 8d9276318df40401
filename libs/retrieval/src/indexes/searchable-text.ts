// Also runs uncompiled in threads: only erasable types.
import { MAX_QUERY_CHARACTERS } from './limits.ts';
import { withoutStopWords } from './stop-words.ts';

/** Scripts without spaces between words, and hangul, whose words have endings. */
const UNSPACED = /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{N}\p{M}]]+/gv;
const MAY_BE_UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u{3ffff}]/u;
/** Soft hyphens and zero-width characters. They occur inside words, especially in texts from PDF files. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** A letter with its marks. */
const letters = (run: string): string[] => run.match(/\P{M}\p{M}*/gu) ?? [run];

const normal = (text: string): string => text.normalize('NFKC').replace(INVISIBLE, '');

/**
 * The text for a full-text index that splits words at spaces and punctuation. Runs of scripts without spaces become their single letters and
 * pairs of neighbours: 東京都 is found by 東, 京, 都, 東京 and 京都.
 */
export function searchableText(text: string): string {
  const plain = normal(text);
  if (!MAY_BE_UNSPACED.test(plain)) return plain;
  return plain.replace(UNSPACED, (run) => {
    const each = letters(run);
    return ` ${each.join(' ')} ${pairs(each).join(' ')} `;
  });
}

const pairs = (each: readonly string[]): string[] => each.slice(1).map((letter, index) => each[index]! + letter);

/**
 * The words of a query, in lower case, in order, with repetitions and without stop words. Runs of scripts without spaces become pairs. A single
 * letter stays.
 */
export function queryWords(text: string): readonly string[] {
  const plain = normal(text.slice(0, MAX_QUERY_CHARACTERS)).toLowerCase();
  const spaced = plain.replace(UNSPACED, (run) => {
    const each = letters(run);
    return ` ${each.length === 1 ? run : pairs(each).join(' ')} `;
  });
  return withoutStopWords(Array.from(spaced.matchAll(WORD), ([word]) => word));
}

/** The title text of a chunk: its source's title (the file name without one) and its heading. */
export function headOf(source: { kind: string; name: string; title: string | null }, heading: string | null): string {
  const title = source.title ?? (source.kind === 'file' ? source.name.replace(/\.[^.]{1,5}$/, '') : '');
  return searchableText(heading === null || heading === title ? title : `${title}\n${heading}`);
}
