import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import { PHONE_REGIONS, WORD_ENTRIES } from '../test/corpus/measured.ts';
import { checkText, Verdicts } from './checked-text.ts';
import { work } from './detector.ts';
import { DETECTOR_NAMES, detectorOf } from './detectors/all.ts';
import { Masking } from './masking.ts';
import { StageChecks } from './policies.ts';
import { Scanner } from './scanner.ts';

/** Texts that make careless expressions slow: long runs of what a value may contain, and beginnings of values without an end. */
const HOSTILE: Readonly<Record<string, string>> = {
  letters: 'a',
  'capital letters': 'A',
  digits: '4',
  'spaced digits': '4 ',
  'spaced zeros': '0 ',
  'zeros and pluses': '0+',
  'groups of digits': '4111 ',
  'card after card': '4111 1111 1111 1112 ',
  'number after number': '030 1234567 ',
  'foreign numbers': '+491234 ',
  'plus signs': '+1',
  parentheses: '(1',
  dots: '.',
  'dots and digits': '1.',
  colons: ':',
  'colons and hexadecimals': 'a:',
  'at signs': '@',
  'addresses without end': 'a@',
  'local parts': 'a.',
  domains: 'a@b.',
  hyphens: '-',
  'beginnings of keys': '-----BEGIN PRIVATE KEY-----\n',
  'unfinished beginnings': '-----BEGIN ',
  'beginnings of tokens': 'sk-',
  'long tokens': 'sk-a1',
  'tokens of the web': 'eyJ',
  'dotted tokens': 'eyJhbGciOiJI.',
  addresses: 'x://a:b',
  assignments: 'password:',
  'spaced assignments': 'token = ',
  'country codes': 'DE89 ',
  'country codes without spaces': 'DE89DE',
  brackets: '[',
  placeholders: '[EMAIL_',
  words: 'Project Aurora',
  'beginnings of words': 'Project ',
  white: ' ',
  lines: '\n',
  'letters outside of ASCII': 'é',
  surrogates: '\ud83d',
  ideographs: '機',
  'combining characters': '\u0301',
  'decomposed letters': 'e\u0301',
};

const detectors = () => DETECTOR_NAMES.map((name) => detectorOf(name, { phoneRegions: PHONE_REGIONS, words: WORD_ENTRIES }));

/** Code units read and numbers parsed, for each code unit of the text. */
function workOf(text: string, part: number): { read: number; parsed: number } {
  const [read, parsed] = [work.read, work.parsed];
  const scanner = new Scanner(detectors());
  mustEnd(() => {
    for (let at = 0; at < text.length; at += part) scanner.add(text.slice(at, at + part));
    scanner.add('', true);
  });
  return { read: (work.read - read) / text.length, parsed: (work.parsed - parsed) / text.length };
}

describe('a hostile text', () => {
  it.each(Object.entries(HOSTILE))('of %s takes linear work', (_, unit) => {
    const textOf = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
    for (const [part, most] of [
      [1_024, 250],
      [1, 1_000],
    ] as const) {
      const [short, long] = [workOf(textOf(16 * 1_024), part), workOf(textOf(64 * 1_024), part)];
      expect(short.read).toBeLessThan(most);
      expect(long.read).toBeLessThan(1.5 * short.read + 1);
      expect(long.parsed).toBeLessThan(3);
    }
  });

  it('of 4 MiB ends', async () => {
    const units = Object.values(HOSTILE);
    const text = units.map((unit) => unit.repeat(Math.ceil((4 * 1024 * 1024) / units.length / unit.length))).join(' ');
    const options = { id: 'all', apply_to: [], words: WORD_ENTRIES } as const;
    const checks = new StageChecks('output', [{ ...options, stage: 'output', action: 'mask', detectors: DETECTOR_NAMES }]);
    const verdicts = new Verdicts(checks);
    let turns = 0;
    let isRunning = true;
    const count = () => {
      turns += 1;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    await checkText(text, verdicts, new Masking());
    isRunning = false;
    expect(turns).toBeGreaterThan(20);
    expect(verdicts.all()).not.toEqual([]);
  });
});
