import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CONNECT_TIMEOUT_MILLIS } from './exchange.ts';
import type { ResolvedAddress } from './guarded-lookup.ts';
import { boundedSystemLookup, LOOKUPS_AT_ONCE, LOOKUPS_OF_ALL_CLIENTS } from './system-lookup.ts';

const address = { address: '192.0.2.1', family: 4 };

/** An operating system resolver that answers when the spec calls `answer`. */
class SlowResolver {
  readonly running = new Map<string, PromiseWithResolvers<readonly ResolvedAddress[]>>();
  readonly names: string[] = [];

  readonly resolve = (hostname: string): Promise<readonly ResolvedAddress[]> => {
    const answer = Promise.withResolvers<readonly ResolvedAddress[]>();
    this.running.set(hostname, answer);
    this.names.push(hostname);
    return answer.promise.finally(() => this.running.delete(hostname));
  };

  async answer(hostname: string): Promise<void> {
    this.running.get(hostname)!.resolve([address]);
    await turns();
  }

  async answerAll(): Promise<void> {
    while (this.running.size > 0) {
      for (const answer of this.running.values()) answer.reject(new Error('no answer'));
      await turns();
    }
  }
}

/** Lets pending work run. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe('lookups by the operating system', () => {
  let resolver: SlowResolver;
  const client = () => boundedSystemLookup(resolver.resolve);
  const hanging = (names: readonly string[], lookup = client()) => names.map((name) => lookup(name).catch((error: Error) => error));

  beforeEach(() => {
    jest.useFakeTimers();
    resolver = new SlowResolver();
  });
  afterEach(async () => {
    await resolver.answerAll();
    jest.useRealTimers();
  });

  it('never use all threads of the process, however many clients there are', async () => {
    for (const name of ['a', 'b', 'c', 'd']) hanging([1, 2, 3].map((site) => `${name}${site}.test`));
    await turns();
    expect(resolver.running.size).toBe(LOOKUPS_OF_ALL_CLIENTS);
  });

  it('leave a thread for other clients when one client has many', async () => {
    hanging(['a.test', 'b.test', 'c.test', 'd.test']);
    await turns();
    expect(resolver.running.size).toBe(LOOKUPS_AT_ONCE);
    const other = client()('good.test');
    await turns();
    await resolver.answer('good.test');
    expect(await other).toEqual([address]);
  });

  it('run one at a time for each site, so that an unresponsive site does not delay other sites', async () => {
    const lookup = client();
    hanging(['1.slow.test', '2.slow.test', '3.slow.test.', 'SLOW.test'], lookup);
    const other = lookup('www.good.test');
    await turns();
    expect(resolver.names).toEqual(['1.slow.test', 'www.good.test']);
    await resolver.answer('www.good.test');
    expect(await other).toEqual([address]);
    await resolver.answer('1.slow.test');
    expect(resolver.names.at(-1)).toBe('2.slow.test');
  });

  it('run in the order of the requests', async () => {
    const names = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'];
    const found = hanging(names);
    await turns();
    for (const name of names) await resolver.answer(name);
    expect(await Promise.all(found)).toEqual(names.map(() => [address]));
    expect(resolver.names).toEqual(names);
  });

  it('never start if they time out while they wait', async () => {
    const lookup = client();
    const [, , waiting] = hanging(['a.test', 'b.test', 'c.test'], lookup);
    await turns();
    jest.advanceTimersByTime(CONNECT_TIMEOUT_MILLIS);
    expect(await waiting).toMatchObject({ code: 'timeout' });
    await resolver.answer('a.test');
    expect(resolver.names).toEqual(['a.test', 'b.test']);
    const next = lookup('d.test');
    await turns();
    await resolver.answer('d.test');
    expect(await next).toEqual([address]);
  });
});
