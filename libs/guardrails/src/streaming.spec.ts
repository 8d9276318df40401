import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { caseOf, CORPUS, corpusDetector, PHONE_REGIONS, WORD_ENTRIES } from '../test/corpus/measured.ts';
import { CheckedText, checkText, Verdicts } from './checked-text.ts';
import { DETECTOR_NAMES } from './detectors/all.ts';
import { Masking } from './masking.ts';
import { type Action, type Policy, type Stage, StageChecks } from './policies.ts';
import { Scanner } from './scanner.ts';

const SAMPLES = Object.values(CORPUS)
  .flat()
  .map((text) => caseOf(text));
const VALUES = [...new Set(SAMPLES.flatMap(({ expected }) => expected))];

/** Texts of the corpus, their values, and fragments of them next to each other. */
const piece = fc.oneof(
  fc.constantFrom(...SAMPLES.map(({ text }) => text)),
  fc.constantFrom(...VALUES),
  fc.tuple(fc.constantFrom(...VALUES), fc.nat(40)).map(([value, length]) => value.slice(0, length)),
  fc.constantFrom(
    ' ',
    '\n',
    '. ',
    ':',
    '-',
    '@',
    '+',
    '[',
    ']',
    '[EMAIL_1]',
    '[CARD_',
    '0',
    'a',
    '://',
    'password: ',
    'é',
    'e\u0301',
    '\u0301',
    '😀',
    'ey',
    '==',
  ),
  fc.string({ maxLength: 12 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(700), { maxLength: 40 });

function divided(whole: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(whole.slice(at, at + length));
    at += length;
  }
  return [...parts, whole.slice(at)];
}

const checksOf = (stage: Stage, action: Action): StageChecks =>
  new StageChecks(stage, [
    {
      id: 'all',
      apply_to: [],
      stage,
      action,
      detectors: DETECTOR_NAMES,
      words: WORD_ENTRIES,
      phone_regions: PHONE_REGIONS,
    } satisfies Policy,
  ]);

function masked(parts: readonly string[], stage: Stage = 'input', action: Action = 'mask') {
  const masking = new Masking();
  const verdicts = new Verdicts(checksOf(stage, action));
  const checked = new CheckedText(verdicts, masking);
  const chunks = [...parts.map((part) => checked.add(part)), checked.end()];
  return { chunks, text: chunks.join(''), masking, verdicts: verdicts.all(), blockedBy: verdicts.blockedBy };
}

describe('a text in parts', () => {
  it.each(DETECTOR_NAMES)('has the same values of %s as the whole text', (name) => {
    fc.assert(
      fc.property(text, cuts, (whole, lengths) => {
        const scanner = new Scanner([corpusDetector(name)]);
        const parts = divided(whole, lengths);
        const found = parts.flatMap((part, index) => scanner.add(part, index === parts.length - 1));
        expect(found).toEqual(new Scanner([corpusDetector(name)]).add(whole, true));
      }),
      { numRuns: 400 },
    );
  });

  it.each(DETECTOR_NAMES)('has the same values of %s character by character', (name) => {
    for (const { text: whole } of SAMPLES) {
      const scanner = new Scanner([corpusDetector(name)]);
      const found = [...Array.from({ length: whole.length }, (_, at) => scanner.add(whole[at]!)).flat(), ...scanner.add('', true)];
      expect(found).toEqual(new Scanner([corpusDetector(name)]).add(whole, true));
    }
  });

  it('is masked and blocked like the whole text', () => {
    fc.assert(
      fc.property(
        text,
        cuts,
        fc.constantFrom<Stage>('input', 'output'),
        fc.constantFrom<Action>('mask', 'block', 'flag'),
        (whole, lengths, stage, action) => {
          const [inParts, atOnce] = [masked(divided(whole, lengths), stage, action), masked([whole], stage, action)];
          expect(inParts.text).toBe(atOnce.text);
          expect(inParts.blockedBy).toBe(atOnce.blockedBy);
          if (action === 'flag') expect(atOnce.text).toBe(whole);
          if (action !== 'block') expect(inParts.verdicts).toEqual(atOnce.verdicts);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('holds back no more than the window', () => {
    fc.assert(
      fc.property(text, cuts, (whole, lengths) => {
        const checked = new CheckedText(new Verdicts(checksOf('output', 'flag')), new Masking());
        let held = 0;
        for (const part of divided(whole, lengths)) {
          held += part.length - checked.add(part).length;
          expect(held).toBeLessThanOrEqual(checksOf('output', 'flag').window);
        }
      }),
    );
  });

  it('holds back no finished word of prose', () => {
    const checked = new CheckedText(new Verdicts(checksOf('output', 'mask')), new Masking());
    expect(checked.add('The quick brown fox ')).toBe('The quick brown fox ');
    expect(checked.add('jum')).toBe('');
    expect(checked.add('ps. ')).toBe('jumps. ');
  });
});

describe('a masked text', () => {
  it('is restored by its placeholders, in any division', () => {
    fc.assert(
      fc.property(text, cuts, cuts, (whole, lengths, others) => {
        const { text: hidden, masking } = masked(divided(whole, lengths));
        expect(masking.unmask(hidden)).toBe(whole);
        const unmasker = masking.unmasker();
        expect(
          divided(hidden, others)
            .map((part) => unmasker.add(part))
            .join('') + unmasker.end(),
        ).toBe(whole);
      }),
      { numRuns: 400 },
    );
  });

  it('has no value in any chunk, nor across chunks', () => {
    const values = SAMPLES.filter(({ expected, text: sample }) => expected.length > 0 && masked([sample]).verdicts.length > 0);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 6 }), cuts, (samples, lengths) => {
        const whole = samples.map((sample) => sample.text).join('\n\n');
        const { text: shown, masking } = masked(divided(whole, lengths), 'output');
        const found = new Scanner(DETECTOR_NAMES.map((name) => corpusDetector(name))).add(whole, true);
        for (const { start, end } of found) if (end - start > 5) expect(shown).not.toContain(whole.slice(start, end));
        expect(masking.isEmpty).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('has one placeholder for one value', () => {
    const { text: shown } = masked(['a@example.com, b@example.com, a@example.com']);
    expect(shown).toBe('[EMAIL_1], [EMAIL_2], [EMAIL_1]');
  });

  it('does not restore a placeholder that its author has forged', () => {
    const { text: shown, masking } = masked(['[EMAIL_1] is a@example.com']);
    expect(shown).toBe('[TEXT_1] is [EMAIL_1]');
    expect(masking.unmask('[TEXT_1] [EMAIL_1] [EMAIL_9]')).toBe('[EMAIL_1] a@example.com [EMAIL_9]');
  });

  it('has no part of a secret that is longer than the window', async () => {
    const token = 'Ab3dEf6hIj9'.repeat(2_000);
    const long = `-----BEGIN PRIVATE KEY-----\n${token}\n-----END PRIVATE KEY-----\nBye.`;
    const verdicts = new Verdicts(checksOf('output', 'mask'));
    const shown = await checkText(long, verdicts, new Masking());
    expect(shown).not.toMatch(/dEf6h/);
    expect(shown).toMatch(/Bye\.$/);
    expect(masked(Array.from(long), 'output').text).toBe(shown);
  });
});
