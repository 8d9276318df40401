import { describe, expect, it } from '@jest/globals';
import type { Refusal } from '@parlance/decider';
import { MOST_ITEMS, MOST_MEMBERS, MOST_VALUES, requireBounded } from './body-bounds.ts';

const object = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, index]));
const array = (items: number, item: unknown = 1) => Array.from({ length: items }, () => item);

/** The errors of the refusal, or null. */
function errorsOf(body: unknown): unknown {
  try {
    requireBounded(body);
    return null;
  } catch (error) {
    return (error as Refusal).facts['errors'];
  }
}

describe('the bounds of a body of another standard', () => {
  it('allow the longest usual request', () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'n', arguments: '' } }] };
    const result = { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: '2' }] };
    const messages = Array.from({ length: MOST_ITEMS }, (_, index) => (index % 2 === 0 ? call : result));
    expect(errorsOf({ model: 'm', messages })).toBeNull();
  });

  it.each([null, 'text', 1, [], {}, object(MOST_MEMBERS), array(MOST_ITEMS)])('allow %j', (body) => {
    expect(errorsOf(body)).toBeNull();
  });

  it.each([
    ['items of an array', { messages: [{ tool_calls: array(MOST_ITEMS + 1) }] }, 'messages[0].tool_calls', 'must have at most 1000 items'],
    ['members of an object', { metadata: object(MOST_MEMBERS + 1) }, 'metadata', 'must have at most 100 members'],
    ['values', { messages: array(MOST_ITEMS, { tool_calls: array(MOST_VALUES / MOST_ITEMS) }) }, '', 'must have at most 10000 values'],
  ])('refuse too many %s', (_, body, path, message) => {
    expect(errorsOf(body)).toEqual([{ path, message }]);
  });
});
