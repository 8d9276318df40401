import { expect, it } from '@jest/globals';

Object.assign(globalThis, { BroadcastChannel: EventTarget });
const { pollMillis } = await import('./query-client.ts');

it('running work is polled after 1, 2, 4 … and at most 30 seconds', () => {
  expect([0, 1, 2, 4, 5, 100].map(pollMillis)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
});
