import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { commandsOn } from '@parlance/foundation/harness';
import fc from 'fast-check';
import { ExecuteFactors } from '../src/commands/aggregates.ts';
import { factors, type FactorsCommand, type FactorsEvent, factorsStream } from '../src/domain/credentials/factors.ts';
import { PasskeyClaims } from '../src/workflows/factors/passkey-claims.ts';
import { cutOff, StreamsInMemory, type Turn } from './streams-in-memory.ts';

const noon = Instant.ofSeconds(1_800_000_000);
const expiresAt = Instant.plus(noon, 300_000);
const clockAt = (now: Instant) => ({ now: () => now }) as Clock;
const credential = { credentialHash: 'h', details: 's1.x.y', counter: 0, backupEligible: true, backedUp: true };
const confirm = (factorId: string, now = noon): FactorsCommand => ({
  type: 'ConfirmPasskey',
  factorId,
  credential,
  takeovers: 0,
  recoveryHashes: ['r'],
  now,
});

/** One replica, which shares the streams with others. */
function replica(log: StreamsInMemory, turn: Turn, now = noon) {
  const streams = log.as(turn);
  const commands = commandsOn(streams);
  const execute = (userId: string, command: FactorsCommand) => commands.execute(new ExecuteFactors(userId, command));
  return { execute, claims: new PasskeyClaims(commands, streams, clockAt(now)) };
}

async function enrolled(log: StreamsInMemory): Promise<void> {
  const { execute } = replica(log, async () => undefined);
  await execute('ann', { type: 'OfferPasskey', factorId: 'p', now: noon });
  await execute('ann', confirm('p'));
}

describe('one assertion that is sent twenty times at the same time, to several replicas', () => {
  it.each([0, 3])('is accepted once, from an authenticator whose counter is at %d', (counter) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const log = new StreamsInMemory();
        await enrolled(log);
        const proof = { kind: 'passkey', assertion: { factorId: 'p', counter, backedUp: true } } as const;
        const prove: FactorsCommand = { type: 'Prove', proof, challenge: { id: 'c', expiresAt }, now: noon };
        const all = Promise.allSettled(
          Array.from({ length: 20 }, () => replica(log, () => scheduler.schedule(Promise.resolve())).execute('ann', prove)),
        );
        await scheduler.waitFor(all);
        const refused = (await all).filter(({ status }) => status === 'rejected');
        expect(refused).toHaveLength(19);
        const events = log.events<FactorsEvent>(factorsStream('ann'));
        expect(events.filter(({ type }) => type === 'PasskeyUsed')).toHaveLength(1);
      }),
      { numRuns: 20 },
    ),
  );
});

describe('users who add the same credential at the same time, at replicas of which some are killed', () => {
  it('never both have it, and if none has it, another user can add it later', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ user: fc.constantFrom('ann', 'ben'), steps: fc.integer({ min: 0, max: 12 }) }), { maxLength: 6 }),
        async (scheduler, deaths) => {
          const log = new StreamsInMemory();
          const enrol = async (userId: string, steps: number, turn: Turn) => {
            let left = steps;
            const { execute, claims } = replica(log, async () => {
              await turn();
              if (left-- <= 0) throw cutOff;
            });
            // `PasskeyEnrolment` does the same.
            await execute(userId, { type: 'OfferPasskey', factorId: userId, now: noon });
            await claims.claim(userId, 'h');
            await execute(userId, confirm(userId));
            await claims.claim(userId, 'h');
          };
          const turn: Turn = () => scheduler.schedule(Promise.resolve());
          const all = Promise.allSettled(deaths.map(({ user, steps }) => enrol(user, steps, turn)));
          await scheduler.waitFor(all);
          for (const outcome of await all)
            if (outcome.status === 'rejected' && outcome.reason !== cutOff) expect((outcome.reason as Refusal).code).toBe('passkey_taken');
          const holders = () =>
            ['ann', 'ben'].filter((user) => fold(factors, log.events<FactorsEvent>(factorsStream(user))).passkeys.length > 0);
          expect(holders().length).toBeLessThanOrEqual(1);
          // A claim that a killed replica left is available when the offer of its user has expired.
          if (holders().length > 0) return;
          const { execute, claims } = replica(log, async () => undefined, expiresAt);
          await execute('cem', { type: 'OfferPasskey', factorId: 'cem', now: expiresAt });
          await claims.claim('cem', 'h');
          await execute('cem', confirm('cem', expiresAt));
          expect(await claims.ownerOf('h')).toBe('cem');
        },
      ),
      { numRuns: 50 },
    ));
});
