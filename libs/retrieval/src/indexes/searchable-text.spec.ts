import { describe, expect, it } from '@jest/globals';
import { headOf, queryWords, searchableText } from './searchable-text.ts';

describe('words of texts and queries', () => {
  it('splits runs without spaces into letters and pairs', () => {
    expect(searchableText('in 東京都!').split(/\s+/)).toEqual(['in', '東', '京', '都', '東京', '京都', '!']);
    expect(queryWords('in 東京都, 寺')).toEqual(['in', '東京', '京都', '寺']);
  });

  it('keeps Thai vowels with their letters', () => expect(queryWords('กินข้าว')).toEqual(['กิน', 'นข้', 'ข้า', 'าว']));

  it('removes soft hyphens and joins ligatures, which PDF files have', () => {
    expect(searchableText('know\u00adledge of ﬁsh')).toBe('knowledge of fish');
    expect(queryWords('KNOW\u200bLEDGE')).toEqual(['knowledge']);
  });

  it('reads each word of a query once, and no syntax', () => expect(queryWords('"a" OR (A* b)')).toEqual(['a', 'or', 'b']));

  it('leaves out the words that only make a query a question, unless there are no others', () => {
    expect(queryWords('How do I share my bot?')).toEqual(['share', 'bot']);
    expect(queryWords('Who are you?')).toEqual(['who', 'are', 'you']);
  });

  it('takes the name of a file for its title where there is none', () => {
    expect(headOf({ kind: 'file', name: 'report.2024.pdf', title: null }, 'Costs')).toBe('report.2024\nCosts');
    expect(headOf({ kind: 'page', name: 'https://example.com/a.html', title: null }, null)).toBe('');
    expect(headOf({ kind: 'page', name: 'x', title: 'Costs' }, 'Costs')).toBe('Costs');
  });
});
