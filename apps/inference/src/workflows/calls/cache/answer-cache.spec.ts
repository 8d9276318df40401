import { describe, expect, it } from '@jest/globals';
import { Clock } from '@parlance/foundation';
import { AnswerCache, BYTES_OF_CACHE, BYTES_OF_USER, MOST_BYTES } from './answer-cache.ts';

const answer = (bytes = 1) => ({ model: 'm', contentType: 'application/json', body: Buffer.alloc(bytes) });

function cacheAt() {
  const clock = Object.assign(new Clock(), { steady: () => clock.millis, millis: 0 });
  return { clock, cache: new AnswerCache(clock) };
}

describe('the cache of answers', () => {
  it('has at most its bytes, and at most the bytes of each user', () => {
    const { cache } = cacheAt();
    const most = Math.floor(BYTES_OF_USER / (MOST_BYTES + 512));
    const users = ['a', 'b', 'c', 'd', 'e'];
    for (const user of users) for (let at = 0; at <= most; at++) cache.add(user, String(at), answer(MOST_BYTES), 60);
    const kept = users.map((user) => Array.from({ length: most + 1 }, (_, at) => cache.get(user, String(at))).filter(Boolean).length);
    expect(kept.every((count) => count <= most)).toBe(true);
    expect(kept.reduce((sum, count) => sum + count) * MOST_BYTES).toBeLessThanOrEqual(BYTES_OF_CACHE);
    // The newest of the last user.
    expect(cache.get('e', String(most))).not.toBeNull();
    expect(cache.get('e', '0')).toBeNull();
    expect(cache.get('a', '1')).toBeNull();
  });

  it('loses what was used least recently first', () => {
    const { cache } = cacheAt();
    const most = Math.floor(BYTES_OF_USER / (MOST_BYTES + 512));
    for (let at = 0; at < most; at++) cache.add('a', String(at), answer(MOST_BYTES), 60);
    expect(cache.get('a', '0')).not.toBeNull();
    cache.add('a', 'new', answer(MOST_BYTES), 60);
    expect([cache.get('a', '0'), cache.get('a', '1')]).toEqual([expect.anything(), null]);
  });

  it('takes no answer that is too long', () => {
    const { cache } = cacheAt();
    cache.add('a', 'k', answer(MOST_BYTES + 1), 60);
    expect(cache.isEmpty).toBe(true);
  });

  it('is empty when all answers have expired, are replaced and forgotten', () => {
    const { cache, clock } = cacheAt();
    cache.add('a', 'k', answer(), 1);
    cache.add('b', 'k', answer(), 2);
    cache.add('b', 'k', answer(), 3);
    clock.millis = 1_000;
    expect(cache.get('a', 'k')).toBeNull();
    cache.removeExpired();
    expect(cache.isEmpty).toBe(false);
    clock.millis = 3_000;
    cache.removeExpired();
    expect(cache.isEmpty).toBe(true);
    cache.add('a', 'k', answer(), 1);
    cache.forget('a');
    expect(cache.isEmpty).toBe(true);
  });
});
