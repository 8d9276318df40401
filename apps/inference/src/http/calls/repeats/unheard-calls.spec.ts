import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KEPT_MILLIS, MOST_BYTES_OF_A_TOKEN, MOST_OF_A_TOKEN, UnheardCalls } from './unheard-calls.ts';

const received = (tokenId = 'one', headers: object = {}) =>
  ({ endpoint: 'messages', caller: { tokenId, terms: {} }, bytes: Buffer.alloc(9), headers }) as never;
const answer = (bytes: number) => ({ status: 200, headers: {}, body: Buffer.alloc(bytes) });
const seat = { isFree: true } as never;
const MARKED = { 'x-stainless-retry-count': '1' };

describe('calls without a caller', () => {
  let calls: UnheardCalls;
  beforeEach(() => void (calls = new UnheardCalls({ stop: () => undefined } as never)));
  afterEach(() => void jest.useRealTimers());

  it('give their answer to a repeat that arrives at the same moment', async () => {
    const first = received();
    calls.left(first, seat);
    const repeated = calls.repeated(received('one', MARKED), {} as never);
    const whole = answer(1);
    calls.keepAnswer(first, seat, whole);
    expect(await repeated).toEqual({ answer: whole });
  });
  it('keep little of long headers', async () => {
    calls.keepAnswer(received('one', { 'anthropic-beta': 'x'.repeat(10_000) }), seat, answer(1));
    const [only] = calls['all'];
    expect((await only!.fingerprint).length).toBeLessThan(100);
  });
  it('join a repeat whose request is the same in all that counts', async () => {
    const headers = { ...MARKED, 'content-type': 'application/json', 'idempotency-key': 'k', 'x-parlance-cache': 'ttl=1' };
    const same = { endpoint: 'messages', caller: { tokenId: 'one', terms: { tags: { a: 'b' } } }, bytes: Buffer.from('{}'), headers };
    const others = [
      { ...same, endpoint: 'messages/count_tokens' },
      { ...same, caller: { tokenId: 'one', terms: { tags: { a: 'c' } } } },
      { ...same, bytes: Buffer.from('[]') },
      ...Object.keys(headers)
        .slice(1)
        .map((name) => ({ ...same, headers: { ...headers, [name]: 'other' } })),
    ];
    const whole = answer(1);
    calls.keepAnswer(same as never, seat, whole);
    for (const other of others) expect(await calls.repeated(other as never, {} as never)).toBeNull();
    expect(await calls.repeated(same as never, {} as never)).toEqual({ answer: whole });
  });
  it('leave their place to nobody while another repeat has it', async () => {
    const place = { isFree: false, take: () => Promise.resolve(true) };
    calls.left(received(), place as never);
    expect(await calls.repeated(received('one', MARKED), {} as never)).toBeNull();
    place.isFree = true;
    expect(await calls.repeated(received('one', MARKED), {} as never)).not.toBeNull();
  });
  it('are waited for when the process ends', async () => {
    let rest = (): unknown => undefined;
    calls = new UnheardCalls({ stop: (_: string, __: string, run: () => unknown) => (rest = run) } as never);
    const { promise, resolve } = Promise.withResolvers<void>();
    calls.left(received(), { ended: () => promise } as never);
    let isOver = false;
    const resting = Promise.resolve(rest()).then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    resolve();
    await resting;
  });
  it('are forgotten, with the oldest ones first if there are many', () => {
    jest.useFakeTimers();
    for (let index = 0; index <= MOST_OF_A_TOKEN; index++) calls.keepAnswer(received(), seat, answer(1));
    expect(calls.size).toBe(MOST_OF_A_TOKEN);
    calls.keepAnswer(received('two'), seat, answer(MOST_BYTES_OF_A_TOKEN));
    calls.keepAnswer(received('two'), seat, answer(MOST_BYTES_OF_A_TOKEN + 1));
    expect(calls.size).toBe(MOST_OF_A_TOKEN + 1);
    calls.keepAnswer(received('two'), seat, answer(1));
    expect(calls.size).toBe(MOST_OF_A_TOKEN + 1);
    for (const other of ['three', 'four', 'five', 'six', 'seven']) calls.keepAnswer(received(other), seat, answer(MOST_BYTES_OF_A_TOKEN));
    expect([calls.size, calls['bytes'] <= 4 * MOST_BYTES_OF_A_TOKEN]).toEqual([4, true]);
    jest.advanceTimersByTime(KEPT_MILLIS);
    expect([calls.size, calls['bytes'], calls['ofToken'].size]).toEqual([0, 0, 0]);
  });
});
