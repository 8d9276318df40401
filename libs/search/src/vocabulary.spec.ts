import { describe, expect, it } from '@jest/globals';
import { analyserFor } from './analyser.ts';
import { Vocabulary } from './vocabulary.ts';

describe('the terms of the indexed texts', () => {
  it('leave nothing in any list when they are released', () => {
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
});
