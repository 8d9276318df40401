import { describe, expect, it } from '@jest/globals';
import { type Chunk, withMarkersOf } from '@parlance/chat-models';
import fc from 'fast-check';
import { CitedText } from './cited-text.ts';

const knowledge = (showsSources: boolean) => ({ showsSources, chunks: [{ rank: 1 }, { rank: 12 }] as unknown as readonly Chunk[] });

describe('a text with markers that arrives in parts', () => {
  it('keeps only the markers of its sources, wherever its parts end', () => {
    const parts = fc.array(fc.constantFrom('a', ' ', '\n', '[', '^', '1', '2', '3', ']', ' [^1', '[^12]', ' [^3]', '[^', '99999'));
    fc.assert(
      fc.property(parts, fc.boolean(), (all, showsSources) => {
        const text = new CitedText(knowledge(showsSources));
        const shown = all.map((part) => text.add(part)).join('') + text.end();
        expect(shown).toBe(withMarkersOf(all.join(''), new Set(showsSources ? [1, 12] : [])));
      }),
      { numRuns: 2_000 },
    );
  });
  it('is shown at once if no marker can begin', () => {
    const text = new CitedText(knowledge(true));
    expect([text.add('So it is.'), text.add(' [^'), text.add('3] And'), text.end()]).toEqual(['So it is.', '', ' And', '']);
  });
  it('is left as it is without knowledge', () => expect(new CitedText(null).add('See [^')).toBe('See [^'));
});
