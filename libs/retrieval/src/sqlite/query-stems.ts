// Runs uncompiled in threads: only erasable types.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { formsIn, type Language } from '../indexes/languages.ts';
import { MAX_QUERY_WORDS, MAX_REPEATS } from '../indexes/limits.ts';
import { queryWords } from '../indexes/searchable-text.ts';
import { TOKENIZER } from './index-file.ts';

/** The maximum number of a query's words that are stemmed. It exceeds the searched number, because common words are left out. */
const MAX_STEMMED = 8 * MAX_QUERY_WORDS;

export interface QueryWord {
  readonly word: string;
  readonly stem: string;
  /** How many times the query has the word, or another word with its stem. */
  readonly times: number;
}

/** The words of queries with their stems. FTS5 itself makes the stems, so they are the same as in the indexes. */
export class QueryStems {
  private readonly database = new DatabaseSync(':memory:');
  private readonly insert: StatementSync;
  private readonly read: StatementSync;
  private readonly clear: StatementSync;

  constructor() {
    this.database.exec(`
      CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = '${TOKENIZER}');
      CREATE VIRTUAL TABLE stems USING fts5vocab (words, 'instance')`);
    this.insert = this.database.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)');
    this.read = this.database.prepare('SELECT doc, term FROM stems');
    this.clear = this.database.prepare('DELETE FROM words');
  }

  /** One word per different stem in an index of these languages, in the order of the query. */
  of(text: string, languages: readonly (Language | null)[]): QueryWord[] {
    const words = queryWords(text)
      .slice(0, MAX_STEMMED)
      .flatMap((word, place) => formsIn(word, languages).map((form) => ({ form, place })));
    if (words.length === 0) return [];
    this.database.exec('BEGIN');
    for (const [index, { form }] of words.entries()) this.insert.run(index, form);
    const rows = this.read.all() as { doc: number; term: string }[];
    this.clear.run();
    this.database.exec('COMMIT');
    const found = Map.groupBy(rows, ({ term }) => term);
    // Two forms of one word may have the same stem.
    const timesOf = (forms: readonly { doc: number }[]) => new Set(forms.map(({ doc }) => words[doc]!.place)).size;
    return Array.from(found, ([stem, forms]) => ({ stem, first: Math.min(...forms.map(({ doc }) => doc)), times: timesOf(forms) }))
      .sort((one, other) => one.first - other.first)
      .map(({ stem, first, times }) => ({ word: words[first]!.form, stem, times: Math.min(times, MAX_REPEATS) }));
  }
}

/**
 * An FTS5 query that matches any of the words. Each is quoted, so that it cannot contain syntax. Repeated words count several times, because a
 * long question repeats its subject.
 */
export const anyOf = (words: readonly QueryWord[]): string =>
  words.flatMap(({ word, times }) => Array.from({ length: times }, () => `"${word.replaceAll('"', '""')}"`)).join(' OR ');
