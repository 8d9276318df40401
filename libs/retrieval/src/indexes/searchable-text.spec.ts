import { describe, expect, it } from '@jest/globals';
import { headOf, queryWords, searchableText } from './searchable-text.ts';

describe('words of texts and queries', () => {
  it('splits runs without spaces into letters and pairs', () => {
    expect(searchableText('in 東京都!').split(/\s+/)).toEqual(['in', '東', '京', '都', '東京', '京都', '!']);
    expect(queryWords('in 東京都, 寺')).toEqual(['東京', '京都', '寺']);
  });

  it('keeps Thai vowels with their letters', () => expect(queryWords('กินข้าว')).toEqual(['กิน', 'นข้', 'ข้า', 'าว']));

  it('removes soft hyphens and joins ligatures, which PDF files have', () => {
    expect(searchableText('know\u00adledge of ﬁsh')).toBe('knowledge of fish');
    expect(queryWords('KNOW\u200bLEDGE')).toEqual(['knowledge']);
  });

  it('reads each word of a query as often as it occurs, and ignores syntax', () =>
    expect(queryWords('"heron" NEAR (Heron* stork)')).toEqual(['heron', 'near', 'heron', 'stork']));

  it.each([
    ['How do I share my bot with the others?', ['share', 'bot', 'others']],
    ['Wie teile ich meinen Bot mit der Gruppe?', ['teile', 'meinen', 'bot', 'gruppe']],
    ['Comment partager mon bot avec le groupe ?', ['partager', 'bot', 'groupe']],
    ['¿Cómo comparto mi bot con el grupo?', ['comparto', 'bot', 'grupo']],
    // Each of these is a stop word in another language.
    ['Which cells die on alteration?', ['cells', 'die', 'alteration']],
  ])('leaves out the stop words of the language of a query: %s', (query, expected) => expect(queryWords(query)).toEqual(expected));

  it('leaves out stop words, unless there are no others', () => {
    expect(queryWords('How do I share my bot?')).toEqual(['share', 'bot']);
    expect(queryWords('Who are you?')).toEqual(['who', 'are', 'you']);
  });

  it("uses a file's name as its title if it has none", () => {
    expect(headOf({ kind: 'file', name: 'report.2024.pdf', title: null }, 'Costs')).toBe('report.2024\nCosts');
    expect(headOf({ kind: 'page', name: 'https://example.com/a.html', title: null }, null)).toBe('');
    expect(headOf({ kind: 'page', name: 'x', title: 'Costs' }, 'Costs')).toBe('Costs');
  });
});
