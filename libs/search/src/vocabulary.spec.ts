import { describe, expect, it } from '@jest/globals';
import { analyserFor } from './analyser.ts';
import { Vocabulary } from './vocabulary.ts';

describe('the terms of the indexed texts', () => {
  it('are removed from all lists when they are released', () => {
    const { analyser } = analyserFor('en');
    const vocabulary = new Vocabulary(analyser);
    const asked = { ...analyser.formsOf('travelling'), isPrefix: true };
    const addAndRelease = () => {
      const id = vocabulary.idOf('travelling');
      const found = [vocabulary.matches(asked), vocabulary.sameAs(asked)];
      vocabulary.release(id);
      return found;
    };
    const first = addAndRelease();
    expect(addAndRelease()).toEqual(first);
    expect(vocabulary.size).toBe(0);
  });
  it('stay in their lists when another term is released', () => {
    const { analyser } = analyserFor('en');
    const asked = { ...analyser.formsOf('trav'), isPrefix: true };
    const words = ['travel', 'traveller', 'travesty'];
    for (const released of words) {
      const vocabulary = new Vocabulary(analyser);
      const ids = new Map(words.map((word) => [word, vocabulary.idOf(word)]));
      vocabulary.release(ids.get(released)!);
      const kept = words.filter((word) => word !== released).map((word) => ids.get(word)!);
      const found = vocabulary.matches(asked).prefix;
      expect(found.toSorted((one, other) => one - other)).toEqual(kept.toSorted((one, other) => one - other));
    }
  });
});
