import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { publication, type PublicationCommand } from './publication.ts';
import type { Terms } from './publication-events.ts';

const at = (seconds: number) => Instant.ofMillis(seconds * 1_000);
const terms: Terms = { quota: null, throttle: { rate_limit: 50, burst_limit: 100 }, allowedOrigins: ['*'] };
const facts = { by: 'ann', ownerUserId: 'ann', stage: 'api', terms };

/** A model of the bot's own stream that only knows the numbers of requests. */
class HeldBot {
  number = 0;
  state: 'free' | 'reserved' | 'published' = 'free';
  reserve(number: number): boolean {
    if (number === this.number && this.state !== 'free') return true;
    if (this.state !== 'free' || number <= this.number) return false;
    [this.number, this.state] = [number, 'reserved'];
    return true;
  }
  complete(number: number): boolean {
    if (number !== this.number || this.state === 'free') return false;
    this.state = 'published';
    return true;
  }
  release(number: number): void {
    if (number < this.number) return;
    [this.number, this.state] = [number, 'free'];
  }
}

/**
 * Several processes work on the publication of one bot. Each can be lost or slow between any two steps, and calls arrive at any time. A published
 * API without a published bot never exists, and when no work is left, the bot is reserved if and only if it is published.
 */
describe('a publication and the reservation of its bot', () => {
  const action = fc.oneof(
    fc.record({ act: fc.constant('request' as const) }),
    fc.record({ act: fc.constant('remove' as const) }),
    fc.record({ act: fc.constant('takeOver' as const) }),
    fc.record({ act: fc.constant('failProbe' as const) }),
    { weight: 6, arbitrary: fc.record({ act: fc.constant('step' as const), worker: fc.nat(9) }) },
  );

  interface Worker {
    readonly claim: string;
    readonly deploymentId: string;
    readonly number: number;
    next: 'reserve' | 'start' | 'complete' | 'succeed' | 'giveUp' | 'release' | 'finish' | null;
    isRemoval: boolean;
  }

  it('agree, whichever process is lost or slow', () =>
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const bot = new HeldBot();
        let state = publication.initialState;
        let clock = 0;
        let ids = 0;
        const workers: Worker[] = [];
        const execute = (command: PublicationCommand): boolean => {
          const decided = publication.decide(command, state);
          if (decided instanceof Refusal) return false;
          state = fold({ ...publication, initialState: state }, decided);
          return true;
        };
        const adopt = (claim: string) => {
          if (state.status === 'none' || state.status === 'succeeded' || state.status === 'failed') return;
          const { deploymentId, number, status } = state;
          const next = (
            { requested: 'giveUp', deploying: 'complete', given_up: 'release', rolling_back: 'release', removing: 'release' } as const
          )[status];
          workers.push({ claim, deploymentId, number, next, isRemoval: status === 'removing' });
        };
        const step = (worker: Worker) => {
          const { claim, deploymentId, number } = worker;
          switch (worker.next) {
            case 'reserve':
              worker.next = bot.reserve(number) ? 'start' : 'giveUp';
              break;
            case 'start':
              worker.next = execute({ type: 'StartDeployment', deploymentId }) ? 'complete' : null;
              break;
            case 'complete':
              worker.next = bot.complete(number) ? 'succeed' : 'giveUp';
              break;
            case 'succeed':
              execute({ type: 'Succeed', claim });
              worker.next = null;
              break;
            case 'giveUp':
              worker.next =
                execute({ type: 'GiveUp', deploymentId, claim, reason: 'It was late.' }) && state.status !== 'succeeded' ? 'release' : null;
              break;
            case 'release':
              bot.release(number);
              worker.next = 'finish';
              break;
            case 'finish':
              execute({ type: worker.isRemoval ? 'FinishRemoval' : 'FinishRollback', deploymentId });
              worker.next = null;
          }
        };
        const takeOver = () => {
          clock += 20;
          const claim = `claim-${++ids}`;
          if (execute({ type: 'TakeOver', claim, now: at(clock), leaseUntil: at(clock + 15) })) adopt(claim);
        };
        for (const one of actions) {
          const deploymentId = `d-${++ids}`;
          const lease = { claim: `claim-${ids}`, leaseUntil: at(clock + 15) };
          if (one.act === 'request' && execute({ type: 'Request', ...facts, deploymentId, ...lease, deadline: at(clock + 120) }))
            workers.push({ claim: lease.claim, deploymentId, number: state.number, next: 'reserve', isRemoval: false });
          if (one.act === 'remove' && execute({ type: 'Remove', by: 'ann', ...lease })) adopt(lease.claim);
          if (one.act === 'takeOver') takeOver();
          if (one.act === 'failProbe' && state.status !== 'none')
            execute({ type: 'FailProbe', deploymentId: state.deploymentId, reason: 'An edge could not serve it.' });
          const idle = workers[one.act === 'step' ? one.worker % Math.max(1, workers.length) : -1];
          if (idle) step(idle);
          if (state.status === 'succeeded') expect([bot.state, bot.number]).toEqual(['published', state.number]);
        }
        // All live processes continue, and the last lease is taken over until no work is left.
        for (let turns = 0; turns < 5; turns++) {
          for (let steps = 0; steps < 5; steps++) for (const worker of workers) step(worker);
          takeOver();
        }
        expect(['none', 'failed', 'succeeded']).toContain(state.status);
        expect(bot.state).toBe(state.status === 'succeeded' ? 'published' : 'free');
      }),
      { numRuns: 1_000 },
    ));
});
