// Runs in threads without being compiled: only erasable types.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { formsIn, type Language } from '../indexes/languages.ts';
import { MAX_QUERY_WORDS, MAX_REPEATS } from '../indexes/limits.ts';
import { queryWords } from '../indexes/searchable-text.ts';
import { TOKENIZER } from './index-file.ts';

/** Words of a query that are stemmed, at most. More than are searched, because common ones are left out. */
const MAX_STEMMED = 8 * MAX_QUERY_WORDS;

export interface QueryWord {
  readonly word: string;
  readonly stem: string;
  /** How often the query has it, or another word with its stem. */
  readonly times: number;
}

/** The words of queries with their stems. The stems are made by FTS5 itself, so they are the ones in the indexes. */
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

  /** One word for each different stem in an index of these languages, in the order of the query. */
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
    const timesOf = (its: readonly { doc: number }[]) => new Set(its.map(({ doc }) => words[doc]!.place)).size;
    return Array.from(found, ([stem, its]) => ({ stem, first: Math.min(...its.map(({ doc }) => doc)), times: timesOf(its) }))
      .sort((one, other) => one.first - other.first)
      .map(({ stem, first, times }) => ({ word: words[first]!.form, stem, times: Math.min(times, MAX_REPEATS) }));
  }
}

/**
 * An FTS5 query that matches any of the words. Each is quoted, so that nothing in it is syntax. A word counts as often as the query has it: what a
 * long question repeats is what it is about.
 */
export const anyOf = (words: readonly QueryWord[]): string =>
  words.flatMap(({ word, times }) => Array.from({ length: times }, () => `"${word.replaceAll('"', '""')}"`)).join(' OR ');
