import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import { Clock } from '@parlance/foundation';
import { bringsForward } from '@parlance/foundation/harness';
import type { ServiceDocuments } from '../adapters/service-documents.ts';
import { LearnRoutesFromServices } from './learn-routes-from-services.ts';

function learner(services: Config['services']) {
  const clock = new Clock();
  const seen = { learnt: 0, missing: ['bots'] };
  const documents = { learn: async () => void seen.learnt++, missing: () => seen.missing } as unknown as ServiceDocuments;
  return { seen, later: bringsForward(clock), policy: new LearnRoutesFromServices(documents, clock, { services } as Config) };
}

describe('learning routes from services', () => {
  it('continues until no document is missing', async () => {
    const { seen, policy } = learner({});
    await policy.onApplicationBootstrap();
    await policy.learnAgain();
    expect([seen.learnt, policy.hasAll]).toEqual([2, false]);
    seen.missing = [];
    await policy.learnAgain();
    expect([seen.learnt, policy.hasAll]).toEqual([2, true]);
  });

  it.each([
    ['once from services in this process', {}, 1],
    ['again after 30 seconds from services in other processes', { bots: ['http://bots'] }, 2],
  ])('fetches known documents %s', async (_, services, times) => {
    const { seen, later, policy } = learner(services as Config['services']);
    seen.missing = [];
    await policy.onApplicationBootstrap();
    later(29_000);
    await policy.learnAgain();
    expect(seen.learnt).toBe(1);
    later(1_000);
    await policy.learnAgain();
    expect(seen.learnt).toBe(times);
  });
});
