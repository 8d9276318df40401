import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { patience } from '@parlance/testing';
import { generateSync } from 'otplib';
import { RecoveryCodes } from '../../src/adapters/factors/recovery-codes.ts';
import { newTotpSecret } from '../../src/adapters/factors/totp.ts';
import { type FactorsCommand, type FactorsEvent, factors, factorsStream } from '../../src/domain/credentials/factors.ts';
import { FREE_FAILURES } from '../../src/domain/credentials/sign-in-attempts.ts';
import { type GivenProof, SecondFactors } from '../../src/workflows/factors/second-factors.ts';
import { cutOff, StreamsInMemory, type Turn } from '../streams-in-memory.ts';

const REPLICAS = 3;
const ROUNDS = 100;
const REPLAYS_OF_ROUND = 100;
const GUESSES = 5_000;
const GUESSES_AT_ONCE = 50;
const WINDOW_MILLIS = 5 * 60_000;
/** The share of requests whose replica is killed at one of its steps. */
const KILLED_SHARE = 0.2;
const MOST_STEPS = 6;

const noon = Instant.ofSeconds(1_800_000_000);
/** The seed of the random numbers. It is fixed, so that a failure can be reproduced. */
let state = 2211;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const recoveryCodes = new RecoveryCodes({ derive: () => new Uint8Array(32) } as never);

/** Replicas over one store. A random request in progress takes the next step. */
class Replicas {
  now = noon;
  readonly log = new StreamsInMemory();
  private readonly waiting: (() => void)[] = [];

  async enrol(userId: string) {
    const secret = newTotpSecret();
    const { codes, hashes: recoveryHashes } = recoveryCodes.mint(userId);
    const streams = this.log.as(async () => undefined);
    const run = (command: FactorsCommand) => streams.execute(factors, factorsStream(userId), command);
    await run({ type: 'OfferTotp', factorId: 'f', secret });
    await run({ type: 'ConfirmTotp', factorId: 'f', step: 1, recoveryHashes, now: this.now });
    return { secret, codes };
  }

  /** Sends proofs concurrently. Returns how each was answered: `accepted`, the code of the refusal, or `killed`. */
  async answers(userId: string, proofs: readonly GivenProof[]): Promise<readonly string[]> {
    const work = { isOver: false };
    const all = Promise.all(proofs.map((proof) => this.answer(userId, proof))).finally(() => (work.isOver = true));
    while (!work.isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.waiting.splice(random(this.waiting.length), 1);
      next?.();
    }
    return all;
  }

  failures(userId: string): number {
    return this.log.events<FactorsEvent>(factorsStream(userId)).filter(({ type }) => type === 'SecondFactorFailed').length;
  }

  private async answer(userId: string, proof: GivenProof): Promise<string> {
    let left = random(100) < KILLED_SHARE * 100 ? random(MOST_STEPS) : Number.POSITIVE_INFINITY;
    const replica = this.replica(async () => {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      if (left-- <= 0) throw cutOff;
    });
    try {
      await replica.prove(userId, proof, null);
      return 'accepted';
    } catch (error) {
      if (error === cutOff) return 'killed';
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  }

  private replica(turn: Turn): SecondFactors {
    const streams = this.log.as(turn);
    const execute = ({ id, command }: { id: string; command: FactorsCommand }) => streams.execute(factors, factorsStream(id), command);
    const clocks = Array.from({ length: REPLICAS }, (_, index) => ({ now: () => Instant.plus(this.now, index) }));
    const vault = { open: async (sealed: string) => sealed };
    const parts = [{ execute }, streams, {}, recoveryCodes, {}, {}, {}, {}, vault, clocks[random(REPLICAS)], {}];
    return new (SecondFactors as unknown as new (...its: object[]) => SecondFactors)(...(parts as object[]));
  }
}

describe('second factors at three replicas, of which some are killed', () => {
  it(
    'are accepted once: none of 10,000 replays is accepted',
    async () => {
      let [accepted, replays] = [0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const replicas = new Replicas();
        const userId = newId();
        const { secret, codes } = await replicas.enrol(userId);
        const code = generateSync({ secret, epoch: Math.floor(noon / 1000) });
        const proof = round % 2 === 0 ? { code } : { recovery_code: codes[0] };
        const answers = await replicas.answers(
          userId,
          Array.from({ length: REPLAYS_OF_ROUND + 1 }, () => proof),
        );
        const count = answers.filter((answer) => answer === 'accepted').length;
        expect(count).toBeLessThanOrEqual(1);
        accepted += count;
        replays += answers.length - 1;
        const uses = replicas.log.events<FactorsEvent>(factorsStream(userId)).filter(({ type }) => type.endsWith('Used'));
        // This includes replicas that recorded the use and were killed before their answer.
        expect(uses.length).toBe(1);
        expect(replicas.failures(userId)).toBeLessThanOrEqual(FREE_FAILURES);
      }
      expect([replays, accepted <= ROUNDS, accepted > ROUNDS / 2]).toEqual([10_000, true, true]);
    },
    patience(120_000),
  );

  it(
    'are not found by 5,000 guesses in five minutes, of which thirteen are checked',
    async () => {
      const replicas = new Replicas();
      const userId = newId();
      const { secret, codes } = await replicas.enrol(userId);
      const outcomes: string[] = [];
      const batches = GUESSES / GUESSES_AT_ONCE;
      for (let batch = 0; batch < batches; batch++) {
        replicas.now = Instant.plus(noon, (batch * WINDOW_MILLIS) / batches);
        const near = [-30, 0, 30].map((seconds) => generateSync({ secret, epoch: Math.floor(replicas.now / 1000) + seconds }));
        const guesses = Array.from({ length: GUESSES_AT_ONCE }, (_, index): GivenProof => {
          if (index % 2 === 1) return { recovery_code: `wrong-${batch}-${index}` };
          const code = String(random(1_000_000)).padStart(6, '0');
          // A guess that happens to be right is replaced.
          return { code: near.includes(code) ? String((Number(code) + 500_000) % 1_000_000).padStart(6, '0') : code };
        });
        outcomes.push(...(await replicas.answers(userId, guesses)));
      }
      const count = (answer: string) => outcomes.filter((outcome) => outcome === answer).length;
      expect([outcomes.length, count('accepted')]).toEqual([GUESSES, 0]);
      // Ten are checked at once, and one each after 30, 60 and 120 seconds.
      expect(replicas.failures(userId)).toBe(FREE_FAILURES + 3);
      expect(count('wrong_second_factor')).toBeLessThanOrEqual(FREE_FAILURES + 3);
      const right = { recovery_code: codes[0] };
      const answers = await replicas.answers(
        userId,
        Array.from({ length: 20 }, () => right),
      );
      expect(answers.filter((answer) => answer !== 'too_many_attempts' && answer !== 'killed')).toEqual([]);
    },
    patience(120_000),
  );
});
