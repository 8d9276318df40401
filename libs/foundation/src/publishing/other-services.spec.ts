import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Broker } from '@parlance/messaging';
import { timersOf } from '@parlance/testing';
import { BrokerTopics, LAG_WITHIN_MS } from './other-services.ts';

describe('the topics of other services', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('do not let a query wait for a broker that does not answer', async () => {
    const topics = new BrokerTopics({ lag: () => new Promise(() => undefined) } as unknown as Broker);
    const patience = timersOf(jest, LAG_WITHIN_MS);
    const answer = topics.lagging('group').catch((error: Error) => error.message);
    await patience.elapse();
    expect(await answer).toBe('no answer in 1000 ms');
  });
});
