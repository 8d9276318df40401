import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administration } from '../../src/messages/en/administration.ts';
import { translation } from '../../src/messages/en/translation.ts';
import { CATALOGUES, type Language } from '../../src/messages/languages.ts';
import { chooseLocale } from '../../src/messages/locale.ts';
import { type Entry, entriesOf } from './catalogue-walk.ts';
import { isSameIn } from './same-texts.ts';

const english = new Map(entriesOf({ ...translation, administration }));
/** Longer words do not fit into a phone's screen, unless they can be hyphenated. */
const LONGEST_WORD = /[\p{L}\p{M}]{26,}/u;
/** Languages that are written without spaces. */
const UNSPACED: ReadonlySet<string> = new Set(['ja', 'zh-CN']);

/** Values for one parameter: a name, a number or a list of names. */
const VALUES = [(at: number) => `Word${at}`, (at: number) => 7 + at, (at: number) => [`Word${at}`, `Other${at}`]];
/** Parameters that are neither. */
const SPECIAL: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'common.budgetExceeded': (['all', 'user', 'group', 'bot', 'key', 'token', 'cost_centre'] as const).flatMap((scope) =>
    ['DAY', 'WEEK', 'MONTH'].map((period) => [{ scope, group: scope === 'group' ? 'Sales' : null, period }, 'Monday']),
  ),
  'chat.dateGroup': [['today'], ['yesterday'], ['week'], [{ year: 2026, month: 4 }]],
};

function* combinations(length: number): Generator<readonly unknown[]> {
  for (let code = 0; code < VALUES.length ** length; code++)
    yield Array.from({ length }, (_, at) => VALUES[Math.floor(code / VALUES.length ** at) % VALUES.length]!(at));
}

function textOf(entry: Entry, values: readonly unknown[]): string | null {
  if (typeof entry === 'string') return entry;
  try {
    const text = entry(...values);
    return typeof text === 'string' && !/NaN|undefined|\[object/.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** The values with which the English text can be made. */
const samplesOf = (path: string, entry: Entry): readonly (readonly unknown[])[] =>
  typeof entry === 'string' ? [[]] : (SPECIAL[path] ?? [...combinations(entry.length)].filter((values) => textOf(entry, values) !== null));

const valuesIn = (text: string, values: readonly unknown[]): readonly string[] =>
  values.flat().filter((value): value is string => typeof value !== 'object' && text.includes(String(value)));

describe.each(Object.entries(CATALOGUES) as [Language, NonNullable<(typeof CATALOGUES)[Language]>][])(
  'the texts in %s',
  (language, load) => {
    let texts: Map<string, Entry>;
    const browser = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    const inLanguage = (tag: string) => {
      Object.defineProperty(globalThis, 'navigator', { value: { language: tag }, configurable: true });
      chooseLocale(tag);
    };
    beforeAll(async () => {
      const loaded = await Promise.all([load.translation(), load.administration()]);
      texts = new Map(entriesOf({ ...loaded[0].translation, ...loaded[1] }));
    });
    afterAll(() => {
      Object.defineProperty(globalThis, 'navigator', browser ?? { value: undefined, configurable: true });
      chooseLocale('en');
    });

    it('are made with the values of the English ones', () => {
      const wrong: string[] = [];
      for (const [path, entry] of english) {
        let made = 0;
        for (const values of samplesOf(path, entry)) {
          inLanguage('en');
          const original = textOf(entry, values)!;
          inLanguage(language);
          const text = textOf(texts.get(path)!, values);
          // Another grammar may need a number where English takes any text.
          if (text === null) continue;
          made++;
          const missing = valuesIn(original, values).find((value) => !text.includes(String(value)));
          if (missing !== undefined) wrong.push(`${path}: ${missing} is not in ${text}`);
        }
        if (made === 0) wrong.push(`${path}: no text`);
      }
      expect(wrong).toEqual([]);
    });

    it('have a sentence for a number of one, of few and of many', () => {
      inLanguage(language);
      const wrong = [...texts].filter(
        ([, entry]) =>
          typeof entry === 'function' &&
          textOf(entry, [7, 7, 7]) !== null &&
          [0, 1, 2, 21, 1_000_000].some((n) => textOf(entry, [n, n, n]) === null),
      );
      expect(wrong.map(([path]) => path)).toEqual([]);
    });

    it('differ from the English ones, except names and words that are the same', () => {
      const same = [...english].filter(
        ([path, text]) => typeof text === 'string' && /\p{L}/u.test(text) && texts.get(path) === text && !isSameIn(language, text),
      );
      expect(same).toEqual([]);
    });

    it('name the limit or the group that an error is about', async () => {
      const { errors } = (await load.translation()).translation;
      const wrong = Object.entries(errors).filter(
        ([, sentence]) => typeof sentence === 'function' && !(sentence as (value: never) => string)(7 as never).includes('7'),
      );
      expect(wrong.map(([code]) => code)).toEqual([]);
    });

    it('have no word that is too long for a phone', () => {
      if (UNSPACED.has(language)) return;
      const long = [...texts].filter(([, entry]) => typeof entry === 'string' && LONGEST_WORD.test(entry));
      expect(long).toEqual([]);
    });
  },
);

it('a catalogue has all keys of the English one, and no others', async () => {
  for (const load of Object.values(CATALOGUES)) {
    const loaded = await Promise.all([load.translation(), load.administration()]);
    const { errors: _errors, guideStarters: _starters, knowledgeReasons: _runs, reasons: _reasons, ...groups } = loaded[0].translation;
    expect([...entriesOf({ ...groups, ...loaded[1] })].map(([path]) => path).sort()).toEqual([...english.keys()].sort());
  }
});
