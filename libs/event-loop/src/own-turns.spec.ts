import { describe, expect, it } from '@jest/globals';
import { Turns } from './own-turns.ts';

describe('turns of the event loop', () => {
  it('are granted one at a time, in the order of the requests', async () => {
    const turns = new Turns();
    const given: string[] = [];
    let [turned, working] = [0, true];
    const turn = () => {
      turned += 1;
      if (working) setImmediate(turn);
    };
    setImmediate(turn);
    const work = async (name: string) => {
      for (let slice = 1; slice <= 3; slice++) {
        await turns.next();
        given.push(`${name}${slice}`);
      }
    };
    await Promise.all([work('a'), work('b')]);
    working = false;
    expect(given).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(turned).toBeGreaterThanOrEqual(given.length);
  });

  it('are granted again after an idle time', async () => {
    const turns = new Turns();
    await turns.next();
    await new Promise((resolve) => setImmediate(resolve));
    await turns.next();
    await turns.next();
  });
});
