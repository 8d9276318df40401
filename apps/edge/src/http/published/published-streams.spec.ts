import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { timersOf } from '@parlance/testing';
import { type Grant, PublishedStreams, type StreamRights } from './published-streams.ts';

/** An answer that is being streamed. */
class Answer extends EventEmitter {
  destroyed = false;

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

const grant = (names: readonly string[], expiresIn: number | null = null): Grant => ({ names, expiresIn });

/** A stream that needs an API and a key. The spec revokes their revisions, and sets the results of the next checks. */
function begin(checks: (() => Promise<Grant>)[] = [], expiresIn: number | null = null) {
  const streams = new PublishedStreams();
  const revoked = new Set<string>();
  const answer = new Answer();
  const revoke = (name: string) => {
    revoked.add(name);
    return streams.revoked(name);
  };
  const rights: StreamRights = {
    grant: grant(['api 1', 'key 1'], expiresIn),
    isRevoked: (names) => names.some((name) => revoked.has(name)),
    check: () => checks.shift()!(),
    end: () => answer.destroy(),
  };
  return { streams, answer, revoke, open: () => streams.add(answer as unknown as ServerResponse, rights) };
}
const refused = () => Promise.reject(new Error('not published'));

describe('a stream of a published bot', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('continues under its new revisions, and ends with one of them', async () => {
    const { streams, answer, revoke, open } = begin([async () => grant(['api 2', 'key 1']), refused]);
    open();
    await revoke('api 1');
    expect([answer.destroyed, streams.size]).toEqual([false, 2]);
    await revoke('api 2');
    expect([answer.destroyed, streams.size]).toEqual([true, 0]);
  });
  it('ends if its rights were revoked before it was added', async () => {
    const { streams, answer, revoke, open } = begin([refused]);
    await revoke('api 1');
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect([answer.destroyed, streams.size]).toEqual([true, 0]);
  });
  it('ends when the API is revoked while the key is read again', async () => {
    const { promise: read, resolve: end } = Promise.withResolvers<void>();
    const { answer, revoke, open } = begin([() => read.then(() => grant(['api 2', 'key 2'])), refused]);
    open();
    const checked = revoke('key 1');
    await revoke('api 2');
    expect(answer.destroyed).toBe(false);
    end();
    await checked;
    expect(answer.destroyed).toBe(true);
  });
  it('ends when its key expires, and not before', async () => {
    const { streams, answer, open } = begin([async () => grant(['api 1', 'key 2'], 2 ** 40), refused], 1_000);
    const [until, next] = [timersOf(jest, 1_000), timersOf(jest, 2 ** 31 - 1)];
    open();
    await until.elapse();
    // The key's expiry was extended by more than a timer can take.
    expect([answer.destroyed, streams.size, next.running.length]).toEqual([false, 2, 1]);
    await next.elapse();
    expect([answer.destroyed, streams.size]).toEqual([true, 0]);
  });
  it('leaves no timer when it ends', () => {
    const { answer, open } = begin([], 1_000);
    const timers = timersOf(jest, 1_000);
    open();
    expect(timers.running).toHaveLength(1);
    answer.destroy();
    expect(timers.running).toHaveLength(0);
  });
  it('is not kept if its client leaves while its rights are checked', async () => {
    const { promise: read, resolve: end } = Promise.withResolvers<void>();
    const { streams, answer, revoke, open } = begin([() => read.then(() => grant(['api 2', 'key 1']))]);
    open();
    const checked = revoke('api 1');
    await new Promise((resolve) => setImmediate(resolve));
    answer.destroy();
    end();
    await checked;
    expect(streams.size).toBe(0);
  });
  it('is not kept if its client left earlier', () => {
    const { streams, answer, open } = begin();
    answer.destroy();
    open();
    expect(streams.size).toBe(0);
  });
});
