import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { countTokens } from '@parlance/chat-models';
import { type CountedFile, mostTokensOfBytes, tokensOfFiles, tokensOfTexts } from './prompt-tokens.ts';

const subjects = ['the archive', 'a ferry', 'our office', 'the second report', 'every invoice', 'this committee', 'the old bridge'];
const verbs = ['closes', 'was moved', 'has been checked', 'needs approval', 'arrives', 'remains open', 'will be published'];
const places = ['near the harbour', 'on Tuesday at half past nine', 'without a written notice', 'for 1,250 euros', 'in Room 4b'];
const themen = ['das Archiv', 'eine Fähre', 'unser Büro', 'der zweite Bericht', 'jede Rechnung', 'die Geschäftsordnung', 'die alte Brücke'];
const verben = ['schließt', 'wurde verlegt', 'ist geprüft worden', 'braucht eine Genehmigung', 'trifft ein', 'bleibt geöffnet'];
const orte = ['in der Nähe des Hafens', 'am Dienstag um halb zehn', 'ohne schriftliche Mitteilung', 'für 1.250 Euro', 'im Raum 4b'];
const 主語 = ['資料室は', '連絡船は', '私たちの事務所は', '二番目の報告書は', 'すべての請求書は', '委員会は', '古い橋は'];
const 場所 = ['港の近くで', '火曜日の九時半に', '書面での通知なしに', '千二百五十ユーロで', '四号室で'];
const 述語 = ['閉まります。', '移転しました。', '確認されています。', '承認が必要です。', '到着します。', '公開される予定です。'];

/** The same sequence in every run. */
const sentences = (count: number, join: (pick: <Word>(words: readonly Word[]) => Word) => string): string => {
  let seed = 20_261_127;
  const pick = <Word>(words: readonly Word[]): Word => words[(seed = (seed * 48_271) % 2_147_483_647) % words.length]!;
  return Array.from({ length: count }, () => join(pick)).join('');
};

const source = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const texts = {
  English: sentences(4_000, (pick) => `Perhaps ${pick(subjects)} ${pick(verbs)} ${pick(places)}, and ${pick(subjects)} ${pick(verbs)}. `),
  German: sentences(4_000, (pick) => `Vielleicht ${pick(verben)} ${pick(themen)} ${pick(orte)}, und ${pick(themen)} ${pick(verben)}. `),
  Japanese: sentences(8_000, (pick) => `${pick(主語)}${pick(場所)}${pick(述語)}`),
  code: source('./reply-reservations.ts').concat(source('./submit-message.ts'), source('./prompt-tokens.ts')).repeat(8),
};
const kinds = Object.keys(texts) as (keyof typeof texts)[];

describe('the tokens of a prompt', () => {
  it.each(kinds)('are within 10 % of those of the tokenizer, for long texts in %s', async (kind) => {
    const text = texts[kind];
    const { tokens } = await countTokens(text, Infinity);
    expect(Math.abs((await tokensOfTexts([text])) / tokens - 1)).toBeLessThan(0.1);
  });
  it('are within 10 % for many texts of all kinds', async () => {
    const parts = kinds.flatMap((kind) => Array.from({ length: 12 }, (_, index) => texts[kind].slice(index * 4_000, (index + 1) * 4_000)));
    const counted = await Promise.all(parts.map((part) => countTokens(part, Infinity)));
    const all = counted.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(Math.abs((await tokensOfTexts(parts)) / all - 1)).toBeLessThan(0.1);
  });
  it('are exact for a short prompt', async () => {
    const short = kinds.map((kind) => texts[kind].slice(0, 3_000));
    const counted = await Promise.all(short.map((text) => countTokens(text, Infinity)));
    expect(await tokensOfTexts(['', ...short])).toBe(counted.reduce((sum, { tokens }) => sum + tokens, 0));
  });
  it('are not underestimated because of cheap text where samples could be expected', async () => {
    const text = `${'a '.repeat(512)}${'\u{1F9FF}'.repeat(7_680)}`.repeat(16);
    const { tokens } = await countTokens(text, Infinity);
    expect((await tokensOfTexts([text])) / tokens).toBeGreaterThan(0.6);
  });
});

/** Without a pattern that the tokenizer could know, and the same in every run. */
const noise = Buffer.concat(Array.from({ length: 1_500 }, (_, index) => createHash('sha256').update(`${index}`).digest()));
const dense = {
  ...texts,
  base64: noise.toString('base64'),
  hexadecimal: noise.toString('hex'),
  'random ASCII': [...noise].map((byte) => String.fromCharCode(33 + (byte % 94))).join(''),
  digits: [...noise].map((byte) => byte % 10).join(''),
  'a table of numbers': [...noise].map((byte, index) => `${index};${byte / 8};A${byte % 7}`).join('\n'),
  emoji: [...noise].map((byte) => String.fromCodePoint(0x1f300 + byte)).join(''),
};

describe('the tokens of an unknown text', () => {
  it.each(Object.entries(dense))('are not underestimated for %s', async (_, text) => {
    const known = text.slice(0, 60_000);
    expect(mostTokensOfBytes(Buffer.byteLength(known))).toBeGreaterThanOrEqual((await countTokens(known, Infinity)).tokens);
  });
});

describe('the tokens of files', () => {
  const all = { images: true, documents: true };
  const textsAlone = { images: false, documents: false };
  const image: CountedFile = { kind: 'image', mediaType: 'image/png', bytes: 10_000 };
  const pdf: CountedFile = { kind: 'attachment', mediaType: 'application/pdf', bytes: 160_000 };
  const read = { textBytes: 9_000, textTokens: 4_000, pages: 12 };

  it('are 1,600 for an image, and 0 if no model sees it', () =>
    expect([tokensOfFiles([image], all), tokensOfFiles([image], textsAlone)]).toEqual([1_600, 0]));
  it('are the tokens of its text, counted when it was read', () =>
    expect(tokensOfFiles([{ ...pdf, mediaType: 'text/csv', ...read }], all)).toBe(4_000));
  it('include a picture of each page for a model that accepts documents', () =>
    expect([tokensOfFiles([{ ...pdf, ...read }], all), tokensOfFiles([{ ...pdf, ...read }], textsAlone)]).toEqual([
      4_000 + 12 * 1_600,
      4_000,
    ]));
  it('are not underestimated for a text of an earlier release', () =>
    expect(tokensOfFiles([{ ...pdf, textBytes: 1_300 }], textsAlone)).toBe(1_000));
  it('are estimated from the bytes of a document whose pages were not counted', () => expect(tokensOfFiles([pdf], all)).toBe(10_000));
  it('are 0 for files that do not fit into the prompt', () =>
    expect(
      tokensOfFiles(
        Array.from({ length: 25 }, () => image),
        all,
      ),
    ).toBe(20 * 1_600));
});
