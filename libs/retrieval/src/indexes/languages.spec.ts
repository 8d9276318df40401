import { describe, expect, it } from '@jest/globals';
import { formsIn, languageOf, stemmed } from './languages.ts';

describe('the language of a text', () => {
  it.each([
    ['de', 'Der Vertrag endet mit der Frist, die im Anhang steht.'],
    ['fr', 'Le contrat prend fin à la date qui est dans les annexes.'],
    ['es', 'El contrato termina en la fecha que está en los anexos.'],
    ['it', 'Il contratto termina alla data che è nella tabella degli allegati.'],
    ['pt', 'O contrato termina na data que está nos anexos e não antes.'],
    ['nl', 'Het contract eindigt op de datum die in de bijlage staat.'],
  ])('follows from its stop words: %s', (language, text) => expect(languageOf(text)).toBe(language));

  it.each([
    ['in English', 'The contract ends at the date that is in the annex.'],
    ['with too few words', 'Häuser, Verträge, der Anhang'],
    ['in a language without stop words here', 'Sopimus päättyy liitteessä mainittuna päivänä.'],
    ['that is empty', ''],
    ['in English with words of Italian', 'Finally, IL-33 improved survival and function after MI in wild-type but not in knockout mice.'],
    ['in English with words of Dutch', 'Role al. of gene clusters in regulation'],
  ])('is null for a text %s', (_, text) => expect(languageOf(text)).toBeNull());
});

describe('the stems of German words', () => {
  it.each([
    ['Haus', 'Häuser', 'Häusern', 'Hauses'],
    ['Vertrag', 'Verträge', 'Verträgen', 'Vertrages'],
    ['Buch', 'Bücher', 'Büchern'],
    ['Antrag', 'Anträge', 'Antrags'],
    ['Stadt', 'Städte', 'Städten'],
    ['Kündigung', 'Kündigungen'],
    ['Straße', 'Strasse', 'Straßen'],
    ['Zug', 'Züge', 'Zügen'],
  ])('are the same for %s and its forms', (...forms) =>
    expect(new Set(forms.map((form) => stemmed(form, 'de').toLowerCase())).size).toBe(1),
  );

  it('differ for other words', () => {
    const words = ['Haus', 'Vertrag', 'Buch', 'Antrag', 'Stadt', 'Zug', 'Urlaub', 'Frist'];
    expect(new Set(words.map((word) => stemmed(word, 'de'))).size).toBe(words.length);
  });
});

describe('a text', () => {
  it('keeps non-words, and words of other scripts', () =>
    expect(stemmed('Häuser (3), 東京, Москва: a1b2', 'de')).toBe('haus (3), 東京, москва: a1b2'));
  it('is unchanged without a language', () => expect(stemmed('Häuser', null)).toBe('Häuser'));
});

describe('the forms of a word in an index', () => {
  it('are one per language with a different stem', () => expect(formsIn('häuser', [null, 'de'])).toEqual(['häuser', 'haus']));
  it('are none in an index without chunks', () => expect(formsIn('häuser', [])).toEqual([]));
});
