import { describe, expect, it } from '@jest/globals';
import { analyserFor, MAX_WORD } from './analyser.ts';
import { queryOf } from './query.ts';
import { TextIndex } from './text-index.ts';

const found = (language: string, text: string, query: string): boolean => {
  const index = new TextIndex<null>(analyserFor(language).analyser, { title: 3, description: 1 });
  index.put('bot', { title: text, description: '' }, null);
  return index.search(query, { isVisible: () => true, limit: 1 }).hits.length === 1;
};
const wordsOf = (text: string, language = 'en') =>
  analyserFor(language)
    .analyser.terms(text)
    .map((term) => term.text);
const stemsOf = (language: string, ...words: string[]) => words.map((word) => analyserFor(language).analyser.formsOf(word).stem);

describe('the analyser of a language', () => {
  // The stems that the reference implementation of Snowball produces, without accents. English and Dutch use the older Porter algorithms.
  it.each([
    ['en', ['running', 'ponies', 'relational'], ['run', 'poni', 'relat']],
    ['de', ['häuser', 'hauses', 'übersetzungen'], ['haus', 'haus', 'ubersetz']],
    ['fr', ['traductions', 'cuisinière', 'généralement'], ['traduct', 'cuisini', 'general']],
    ['es', ['traducciones', 'niñas', 'rápidamente'], ['traduccion', 'nin', 'rapid']],
    ['it', ['traduzioni', 'città', 'velocemente'], ['traduzion', 'citt', 'veloc']],
    ['pt', ['corações', 'meninos', 'rapidamente'], ['coraco', 'menin', 'rapid']],
    ['nl', ['boeken', 'katten', 'vragen'], ['boek', 'kat', 'vrag']],
    ['sv', ['översättningar', 'flickorna', 'friheten'], ['oversattning', 'flick', 'frihet']],
    ['no', ['oversettelser', 'kattene', 'hestene'], ['oversett', 'katt', 'hest']],
    ['da', ['oversættelser', 'pigerne', 'bøgerne'], ['oversaet', 'pig', 'bog']],
    ['fi', ['talossa', 'kirjoja', 'kissat'], ['talo', 'kirj', 'kis']],
    ['ru', ['переводчики', 'книгами', 'красивая'], ['переводчик', 'книг', 'красив']],
  ])('stems %s', (language, words, stems) => expect(stemsOf(language, ...words)).toEqual(stems));

  it.each([
    ['en', 'Recipes for cooks', 'recipe'],
    ['de', 'Übersetzungen prüfen', 'Übersetzung'],
    ['de', 'Große Straße', 'strasse'],
    ['fr', 'Le café du matin', 'cafe'],
    ['fr', 'Le cafe du matin', 'CAFÉ'],
    ['fr', 'L’assistante juridique', 'assistante'],
    ['it', 'Guida all’arte', "l'arte"],
    ['es', 'Canciones de niños', 'canción nino'],
    ['pt-BR', 'Receitas rápidas', 'receita rapida'],
    ['sv', 'Böckerna om smörgås', 'smorgas'],
    ['nb', 'Kattene på øya', 'katt oya'],
    ['da', 'Små bøger', 'sma boger'],
    ['ru', 'Новогодняя ёлка', 'елка'],
    ['en', 'The writer’s friend', 'writers friend'],
    ['en', 'ＷＩＤＥ ﬁnance', 'wide finance'],
    ['xx', 'Łódź and Ðakovo', 'lodz dakovo'],
  ])('finds in %s: "%s" by "%s"', (language, text, query) => expect(found(language, text, query)).toBe(true));

  it.each([
    ['ja', '東京都の翻訳ボット', '翻訳'],
    ['ja', '東京都の翻訳ボット', '京都'],
    ['ja', '東京都の翻訳ボット', '訳'],
    ['ja', '東京都の翻訳ボット', 'ト'],
    ['ja', 'ChatGPT翻訳アシスタント', 'chatgpt 翻訳'],
    ['ja', 'ｶﾞｲﾄﾞ', 'ガイド'],
    ['zh', '法律文件助手', '文件助手'],
    ['ko', '한국어 번역 봇', '번역'],
    ['ko', '한국어 번역 봇', '봇'],
    ['th', 'ผู้ช่วยแปลภาษาไทย', 'ภาษา'],
    ['th', 'ผู้ช่วยแปลภาษาไทย with GPT', 'gpt'],
    ['en', 'Learn 日本語 quickly', '日本語'],
    ['fr', 'แปลภาษาไทย', 'ภาษา'],
  ])('splits scripts without spaces: %s "%s" by "%s"', (language, text, query) => expect(found(language, text, query)).toBe(true));

  it.each([
    ['ja', '翻訳', '訳翻'],
    ['ja', 'かき', 'がき'],
    ['zh', '法律文件', '文法'],
    ['ru', 'йод', 'иод'],
    ['th', 'ภาษา', 'แมว'],
  ])('does not find in %s "%s" by "%s"', (language, text, query) => expect(found(language, text, query)).toBe(false));

  it('splits a text and a query into the same words', () => {
    const { analyser } = analyserFor('ja');
    expect(queryOf('東京都 bot', analyser).words.map(({ word }) => word)).toEqual(['東京', '京都', 'bot']);
    expect(wordsOf('東京都 bot', 'ja')).toEqual(['東京', '京都', '都', 'bot']);
  });

  it('numbers the words of a text', () => {
    expect(
      analyserFor('en')
        .analyser.terms("A writer's desk")
        .map(({ position }) => position),
    ).toEqual([0, 1, 2]);
    expect(wordsOf("A writer's desk")).toEqual(['a', 'writer', 'desk']);
  });

  it.each(['en', 'EN-gb', 'nn', 'th', 'ko', 'pt_BR'])('knows the tag %s', (tag) => expect(analyserFor(tag).isKnown).toBe(true));
  it.each(['xx', '', 'constructor', 'tlh', '🤖'])('folds and does not stem an unlisted tag: "%s"', (tag) => {
    const { analyser, isKnown } = analyserFor(tag);
    expect(isKnown).toBe(false);
    expect(analyser.formsOf('générations')).toEqual({ word: 'generations', stem: 'generations' });
  });
});

describe('a text that cannot be analysed', () => {
  it.each([
    ['a run of 1,000 letters', 'a'.repeat(1_000), 1],
    ['1,000 combining marks', '\u0301'.repeat(1_000), 0],
    ['a letter with 999 combining marks', `a${'\u0301'.repeat(999)}`, 1],
    ['lone surrogates', '\udc00'.repeat(500) + '\ud800'.repeat(500), 0],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(90), 0],
    ['characters that NFKC makes long', '\ufdfa'.repeat(1_000), 334],
    ['nothing', '', 0],
  ])('yields few words and no error: %s', (_, text, count) => {
    for (const language of ['en', 'fr', 'fi', 'th', 'xx']) {
      const words = wordsOf(text, language);
      expect(words).toHaveLength(count);
      expect(Math.max(0, ...words.map(({ length }) => length))).toBeLessThanOrEqual(MAX_WORD);
      expect(() => found(language, text, text)).not.toThrow();
    }
  });

  it('keeps the words next to lone surrogates and emoji', () => expect(wordsOf('🤖 my \ud800bot\udc00 é😀')).toEqual(['my', 'bot', 'é']));
  it('is read up to its 1,000th character', () => expect(wordsOf(`${'x '.repeat(500)}end`)).not.toContain('end'));
});
