import { describe, expect, it } from '@jest/globals';
import { earlierOf, idOfPositions, isAfter, positionsOfId, readAfter } from './log-positions.ts';

describe('a position in a log', () => {
  it.each([
    ['12.0', '11', true],
    ['12.0', '12', false],
    ['12.4', '12.3', true],
    ['12.3', '12.3', false],
    ['12.10', '12.9', true],
    ['9.0', '12.3', false],
  ])('is compared by its numbers: %s is after %s: %j', (one, other, expected) => expect(isAfter(one, other)).toBe(expected));
  it('inside a commit causes that commit to be read again', () => expect([readAfter('12'), readAfter('12.0')]).toEqual([12, 11]));
  it('is compared to find the earlier of two', () => expect([earlierOf('3', '2.5'), earlierOf('2.5', '3')]).toEqual(['2.5', '2.5']));
});

describe('the ID of an event of a stream', () => {
  const services = ['identity', 'bots'];
  it("contains the position in each service's log", () => {
    const id = idOfPositions(services, { bots: '7.1', identity: '12' });
    expect([id, positionsOfId(services, id)]).toEqual(['12_7.1', { identity: '12', bots: '7.1' }]);
  });
  it.each(['', '1', '1_2_3', '1_x', '-1_2', '1_2\n', '1e3_2', '9999999999999999_1'])('is refused if it is malformed: %j', (id) =>
    expect(positionsOfId(services, id)).toBeNull(),
  );
});
