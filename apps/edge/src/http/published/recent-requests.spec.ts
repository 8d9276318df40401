import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { EACH, MOST_RECENT, MOST_RECENT_OF_KEY, RecentRequests, REPEATABLE_MILLIS, type SentRequest } from './recent-requests.ts';

const sentBy = (keyId: string, fingerprint: string, attempt = 0): SentRequest => ({ keyId, fingerprint, attempt });

class Memory {
  private millis = 0;
  readonly recent = new RecentRequests({ now: () => Instant.ofMillis(this.millis) } as Clock);
  private ids = 0;

  later(millis: number): void {
    this.millis += millis;
  }

  /** Sends a request. The returned function ends its answer. */
  send(sent: SentRequest) {
    const res = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false, statusCode: 503 });
    const request = this.recent.enter(sent, `id-${++this.ids}`, res as unknown as ServerResponse);
    const end = (statusCode: number, writableFinished = true) => Object.assign(res, { statusCode, writableFinished }).emit('close');
    return { request, end };
  }
}

describe('the requests that clients may repeat', () => {
  it('are kept while one of their answers is open, and a minute longer', () => {
    const memory = new Memory();
    const { request, end } = memory.send(sentBy('k', 'a'));
    memory.later(10 * REPEATABLE_MILLIS);
    end(503);
    const repeat = memory.send(sentBy('k', 'a', 1));
    memory.later(10 * REPEATABLE_MILLIS);
    repeat.end(503);
    memory.later(REPEATABLE_MILLIS - 1);
    expect(memory.recent.repeatedBy(sentBy('k', 'a', 2))).toBe(request);
    memory.later(1);
    expect([memory.recent.repeatedBy(sentBy('k', 'a', 2)), memory.recent.size]).toEqual([null, 0]);
  });
  it('are repeated if they failed or their client left, and not while or after they are answered', () => {
    const memory = new Memory();
    const [answered, , failed, left] = [1, 2, 3, 4].map(() => memory.send(sentBy('k', 'a')));
    answered!.end(200);
    failed!.end(503);
    left!.end(200, false);
    const repeats = [1, 2, 3].map(() => memory.send(sentBy('k', 'a', 1)).request);
    expect(new Set(repeats)).toEqual(new Set([failed!.request, left!.request, expect.objectContaining({ newId: 'id-7' })]));
  });
  it('are repeated again if the repeat failed too, and not while it is being answered', () => {
    const memory = new Memory();
    const { request, end } = memory.send(sentBy('k', 'a'));
    end(200, false);
    const repeat = memory.send(sentBy('k', 'a', 1));
    expect([repeat.request, memory.recent.repeatedBy(sentBy('k', 'a', 2))]).toEqual([request, null]);
    repeat.end(503);
    expect(memory.recent.repeatedBy(sentBy('k', 'a', 2))).toBe(request);
  });
  it('are forgotten when their client has the complete answer, unless they have an Idempotency-Key', () => {
    const memory = new Memory();
    memory.send(sentBy('k', 'a')).end(200);
    expect(memory.recent.size).toBe(0);
    memory.send(sentBy('k', 'b', EACH)).end(200);
    expect(memory.recent.size).toBe(1);
  });
  it('are repeated by each request with the same Idempotency-Key', () => {
    const memory = new Memory();
    const sent = [1, 2, 3].map(() => memory.send(sentBy('k', 'a', EACH)).request);
    expect(new Set(sent).size).toBe(1);
  });
  it('are separate for each key', () => {
    const memory = new Memory();
    memory.send(sentBy('k', 'a'));
    expect([memory.recent.has('k'), memory.recent.has('l'), memory.recent.repeatedBy(sentBy('l', 'a', 1))]).toEqual([true, false, null]);
  });
  it('are limited in number for one key: the oldest finished request is removed, never an open one', () => {
    const memory = new Memory();
    memory.send(sentBy('other', 'a')).end(503);
    const open = memory.send(sentBy('k', 'open'));
    for (let index = 0; index < MOST_RECENT_OF_KEY; index++) memory.send(sentBy('k', `${index}`)).end(503);
    expect(memory.recent.size).toBe(MOST_RECENT_OF_KEY + 1);
    expect(memory.recent.repeatedBy(sentBy('k', '0', 1))).toBeNull();
    expect(memory.recent.repeatedBy(sentBy('k', '1', 1))).not.toBeNull();
    open.end(503);
    expect(memory.recent.repeatedBy(sentBy('k', 'open', 1))).toBe(open.request);
    expect(memory.recent.repeatedBy(sentBy('other', 'a', 1))).not.toBeNull();
  });
  it('are limited in number over all keys, even if all of them are open', () => {
    const memory = new Memory();
    const sent = Array.from({ length: MOST_RECENT + 5 }, (_, index) => memory.send(sentBy(`k${index % 40}`, `${index}`)));
    expect(memory.recent.size).toBe(MOST_RECENT);
    for (const { end } of sent) end(503);
    memory.send(sentBy('new', 'a'));
    expect([memory.recent.size, memory.recent.has('new')]).toEqual([MOST_RECENT, true]);
    memory.later(REPEATABLE_MILLIS);
    memory.recent.forgetOld();
    expect([memory.recent.size, memory.recent.has('k0')]).toEqual([1, false]);
  });
  it('end at once if the client left before', () => {
    const memory = new Memory();
    memory.recent.enter(sentBy('k', 'a'), 'id', { destroyed: true } as ServerResponse);
    memory.later(REPEATABLE_MILLIS);
    memory.recent.forgetOld();
    expect(memory.recent.size).toBe(0);
  });
});
