import type { Detector, Span } from '../../src/detector.ts';
import { detectorOf, type DetectorName } from '../../src/detectors/all.ts';
import { Scanner } from '../../src/scanner.ts';
import { EMAIL } from './email.ts';
import { IBAN } from './iban.ts';
import { IP_ADDRESS } from './ip-address.ts';
import { NATIONAL_ID } from './national-id.ts';
import { PAYMENT_CARD } from './payment-card.ts';
import { PHONE, PHONE_REGIONS } from './phone.ts';
import { SECRET } from './secret.ts';
import { WORD_ENTRIES, WORDS } from './words.ts';

export { PHONE_REGIONS, WORD_ENTRIES };

/** Texts by detector. The values to find are between ⟦ and ⟧. */
export const CORPUS: Readonly<Record<DetectorName, readonly string[]>> = {
  email: EMAIL,
  phone: PHONE,
  iban: IBAN,
  payment_card: PAYMENT_CARD,
  national_id: NATIONAL_ID,
  ip_address: IP_ADDRESS,
  secret: SECRET.map((text) => text.replaceAll('·', '')),
  words: WORDS,
};

export const corpusDetector = (name: DetectorName): Detector => detectorOf(name, { phoneRegions: PHONE_REGIONS, words: WORD_ENTRIES });

export interface Case {
  readonly text: string;
  readonly expected: readonly string[];
}

export function caseOf(marked: string): Case {
  return { text: marked.replace(/[⟦⟧]/g, ''), expected: Array.from(marked.matchAll(/⟦([^⟧]*)⟧/g), ([, value]) => value!) };
}

export const spansOf = (detectors: readonly Detector[], text: string): readonly Span[] => new Scanner(detectors).add(text, true);

export interface Measured {
  readonly name: DetectorName;
  readonly texts: number;
  readonly values: number;
  readonly precision: number;
  readonly recall: number;
  /** What was missed (-) and what was wrongly found (+). */
  readonly errors: readonly string[];
}

/** A value counts as found only with its exact beginning and end. */
export function measured(name: DetectorName): Measured {
  const detector = corpusDetector(name);
  const cases = CORPUS[name].map(caseOf);
  let [values, right, found] = [0, 0, 0];
  const errors: string[] = [];
  for (const { text, expected } of cases) {
    const left = [...expected];
    for (const { start, end } of spansOf([detector], text)) {
      const at = left.indexOf(text.slice(start, end));
      if (at < 0) errors.push(`+ ${text.slice(start, end)}`);
      else left.splice(at, 1);
      found += 1;
    }
    errors.push(...left.map((value) => `- ${value}`));
    values += expected.length;
    right += expected.length - left.length;
  }
  return { name, texts: cases.length, values, precision: right / found, recall: right / values, errors };
}
