import { describe, expect, it } from '@jest/globals';
import { acceptsEvents, LONGEST_WAIT_SECONDS, waitIn } from './preferences.ts';

describe('the time that a request prefers to wait', () => {
  it.each([
    ['wait=5', 5],
    ['WAIT = 5', 5],
    ['respond-async, wait="7"', 7],
    ['wait=0', 0],
    ['wait=9999', LONGEST_WAIT_SECONDS],
    ['wait=soon', null],
    ['await=5', null],
    ['', null],
    [undefined, null],
  ])('of %j is %j', (prefer, seconds) => expect(waitIn(prefer)).toBe(seconds));
});

describe('a request for server-sent events', () => {
  it.each([
    ['text/event-stream', true],
    ['application/json, text/event-stream;q=0.5', true],
    ['Text/Event-Stream; charset=utf-8', true],
    ['text/event-stream;q=0', false],
    ['text/event-streams', false],
    ['application/json', false],
    ['*/*', false],
    [undefined, false],
  ])('with Accept %j: %j', (accept, expected) => expect(acceptsEvents(accept)).toBe(expected));
});
