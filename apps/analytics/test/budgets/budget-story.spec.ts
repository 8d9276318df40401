import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refusal, refuse } from '@parlance/decider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { BlockHolder, type Lender } from '@parlance/limits';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../../src/service.ts';

const LIMIT = 1_000_000;
const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('200 messages at once, over three processes of which some are killed', () => {
  let service: ServiceUnderTest;
  let budget: string;
  let events = 0;

  const lender: Lender<null> = {
    async lend(id, asked) {
      const answer = await request(service.server)
        .post(`/internal/budgets/${id}/lend`)
        .set(service.asService('inference'))
        .send({ holder: 'h', ...asked });
      if (answer.status !== 200)
        throw refuse(answer.status === 429 ? 'limited' : 'unavailable', answer.body.code, 'The budget has not enough left.');
      return { block: answer.body.block, amount: answer.body.amount, usableMillis: answer.body.usable_millis, facts: null };
    },
    async close(id, closed) {
      await request(service.server).post(`/internal/budgets/${id}/close`).set(service.asService('inference')).send({ closed });
    },
  };
  let heard: Promise<void> = Promise.resolve();
  /** Publishes events one after another, as a single relay does. */
  const hear = (...event: Parameters<typeof publish>) => (heard = heard.then(() => publish(...event)));
  const publish = (type: string, conversation: string, block: string, more: object) =>
    service.hear(
      `parlance.inference.${type}.v1`,
      `conversation-${conversation}`,
      {
        conversation_id: conversation,
        reply_id: 'r',
        user_id: 'u',
        bot_id: null,
        model: 'm',
        budgets: [`${budget}/${block}`],
        ...more,
      },
      `e${++events}`,
    );
  const shown = async () =>
    (await request(service.server).get('/admin/budgets').set(service.as('root', 'Admin'))).body.budgets[0] as {
      spent: number;
      reserved: number;
    };

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    const body = { scope: 'group', scope_id: 'g', period: 'MONTH', limit: LIMIT / 1e9, mode: 'hard' };
    budget = (await request(service.server).put('/admin/budgets').set(service.as('root', 'Admin')).send(body)).body.id;
  });
  afterAll(() => service.stop());

  it('never spend or reserve more than the limit, and the complete rest can be spent afterwards', async () => {
    const random = seeded(13);
    const holders = [0, 1, 2].map(() => new BlockHolder(lender));
    let refused = 0;
    const ledger: { reserved: number; spent: number | null }[] = [];
    /** The highest sum of what was spent and what the replies in flight may cost. */
    let highest = 0;
    const note = () =>
      (highest = Math.max(
        highest,
        ledger.reduce((sum, { reserved, spent }) => sum + (spent ?? reserved), 0),
      ));

    const message = async (index: number) => {
      const holder = Math.floor(random() * holders.length);
      const amount = 2_000 + Math.floor(random() * 20_000);
      const share = random();
      const [isRefused, fails, kills] = [random() < 0.1, random() < 0.1, random() < 0.05];
      try {
        const { take } = await holders[holder]!.take(budget, amount);
        if (isRefused) return take.giveBack();
        const entry: (typeof ledger)[number] = { reserved: amount, spent: null };
        ledger.push(entry);
        note();
        take.keep();
        // A killed process forgets its blocks. Another process writes the reply.
        if (kills) holders[holder] = new BlockHolder(lender);
        await hear('message-submitted', `c${index}`, take.block, { message_id: 'm' });
        entry.spent = fails ? 0 : Math.floor(amount * share);
        if (fails) await hear('reply-failed', `c${index}`, take.block, { code: 'x' });
        else await hear('reply-completed', `c${index}`, take.block, { usage, cost_nano_dollars: entry.spent });
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === 'limited')) throw error;
        refused++;
      }
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => message(index)));
    expect(highest).toBeLessThanOrEqual(LIMIT);
    expect(refused).toBeGreaterThan(0);

    const spent = ledger.reduce((sum, entry) => sum + entry.spent!, 0);
    for (const holder of holders) await holder.stop();
    await waitFor(async () => Math.round((await shown()).spent * 1e9) === spent, { what: 'all charges' });
    // The blocks of the killed processes return after their leases.
    service.later(90_000);
    await waitFor(async () => (await shown()).reserved === 0, { what: 'all blocks to come back' });
    const { take } = await new BlockHolder(lender).take(budget, LIMIT - spent);
    expect(take.block).toBeDefined();
    await expect(new BlockHolder(lender).take(budget, 1)).rejects.toThrow('left');
  });
});
