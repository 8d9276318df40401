import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { countTokens } from '@parlance/chat-models';
import { tokensOfBytes, tokensOfTexts } from './prompt-tokens.ts';

const subjects = ['the archive', 'a ferry', 'our office', 'the second report', 'every invoice', 'this committee', 'the old bridge'];
const verbs = ['closes', 'was moved', 'has been checked', 'needs approval', 'arrives', 'remains open', 'will be published'];
const places = ['near the harbour', 'on Tuesday at half past nine', 'without a written notice', 'for 1,250 euros', 'in Room 4b'];
const themen = ['das Archiv', 'eine Fähre', 'unser Büro', 'der zweite Bericht', 'jede Rechnung', 'die Geschäftsordnung', 'die alte Brücke'];
const verben = ['schließt', 'wurde verlegt', 'ist geprüft worden', 'braucht eine Genehmigung', 'trifft ein', 'bleibt geöffnet'];
const orte = ['in der Nähe des Hafens', 'am Dienstag um halb zehn', 'ohne schriftliche Mitteilung', 'für 1.250 Euro', 'im Raum 4b'];
const 主語 = ['資料室は', '連絡船は', '私たちの事務所は', '二番目の報告書は', 'すべての請求書は', '委員会は', '古い橋は'];
const 場所 = ['港の近くで', '火曜日の九時半に', '書面での通知なしに', '千二百五十ユーロで', '四号室で'];
const 述語 = ['閉まります。', '移転しました。', '確認されています。', '承認が必要です。', '到着します。', '公開される予定です。'];

/** The same sequence in each run. */
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
    const parts = kinds.flatMap((kind) => Array.from({ length: 12 }, (_, nth) => texts[kind].slice(nth * 4_000, (nth + 1) * 4_000)));
    const counted = await Promise.all(parts.map((part) => countTokens(part, Infinity)));
    const all = counted.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(Math.abs((await tokensOfTexts(parts)) / all - 1)).toBeLessThan(0.1);
  });
  it('are exact for a short prompt', async () => {
    const short = kinds.map((kind) => texts[kind].slice(0, 3_000));
    const counted = await Promise.all(short.map((text) => countTokens(text, Infinity)));
    expect(await tokensOfTexts(['', ...short])).toBe(counted.reduce((sum, { tokens }) => sum + tokens, 0));
  });
  it('are not made to seem few by cheap text where samples could be expected', async () => {
    const text = `${'a '.repeat(512)}${'\u{1F9FF}'.repeat(7_680)}`.repeat(16);
    const { tokens } = await countTokens(text, Infinity);
    expect((await tokensOfTexts([text])) / tokens).toBeGreaterThan(0.6);
  });
  it.each(kinds)('of a text that is not at hand are not too few, in %s', async (kind) => {
    const text = texts[kind].slice(0, 60_000);
    expect(tokensOfBytes(Buffer.byteLength(text))).toBeGreaterThanOrEqual((await countTokens(text, Infinity)).tokens);
  });
});
