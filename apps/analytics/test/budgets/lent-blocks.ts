import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ANN, BEN, type BudgetsUnderTest, CORRECTED, GUIDE } from './budgets-under-test.ts';

export function lentBlocks(underTest: BudgetsUnderTest): void {
  describe('budgets', () => {
    const { service, hear, made, one, lend, submitted, completed, failed, charged, shows } = underTest;

    it('lend blocks, and take them back when their replies have ended', async () => {
      const { id } = await made({ scope: 'user', scope_id: BEN });
      const { body: block } = await lend(id, 900_000_000);
      expect(block).toMatchObject({ amount: 900_000_000, usable_millis: 45_000, is_beyond: false });
      expect(await one(id)).toMatchObject({ spent: 0, reserved: 0.9 });
      const mark = `${id}/${block.block}`;
      await submitted(BEN, null, [mark]);
      await submitted(BEN, null, [mark]);
      await completed(300_000_000, BEN, null, [mark]);
      await shows(id, { spent: 0.3, reserved: 0.6 });
      const refused = await lend(id, 200_000_000, { closed: [{ block: block.block, uses: 2 }] });
      expect([refused.status, refused.body.code]).toEqual([429, 'budget_exceeded']);
      expect(refused.body.detail).toMatch(
        /^The monthly budget of this user does not have enough left for this message\. It starts again at .*Z\.$/,
      );
      expect(refused.body.budget).toEqual({ scope: 'user', group: null, period: 'MONTH' });
      const seconds = refused.body.resets_at - Date.now() / 1_000;
      expect(Math.abs(Number(refused.headers['retry-after']) - seconds)).toBeLessThan(60);
      expect(refused.body.resets_at).toBe((await one(id)).resets_at);
      await failed(BEN, null, [mark]);
      await shows(id, { spent: 0.3, reserved: 0 });
      expect((await lend(id, 200_000_000)).status).toBe(200);
    });

    it('lend again what the calls of a block turn out not to need, before analytics knows what they cost', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Exact calls' });
      const { body: block } = await lend(id, 900_000_000);
      const shrunk = [{ block: block.block, most: 300_000_000 }];
      expect((await lend(id, 700_000_001, { shrunk })).status).toBe(429);
      expect((await lend(id, 700_000_000)).status).toBe(200);
      const close = (body: object) =>
        request(service.server).post(`/internal/budgets/${id}/close`).set(service.asService('inference')).send(body);
      expect((await close({ closed: [{ block: block.block, uses: 1 }], shrunk: [{ block: block.block, most: 100_000_000 }] })).status).toBe(
        204,
      );
      expect((await lend(id, 200_000_000)).status).toBe(200);
    });

    it('are not called used up while another process holds more than it has used', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Two processes' });
      await lend(id, 900_000_000);
      const asked = await lend(id, 200_000_000, { holder: 'other' });
      expect([asked.status, asked.body.code, asked.headers['retry-after']]).toEqual([503, 'budget_busy', '1']);
      expect((await lend(id, 1_000_000_001, { holder: 'other' })).status).toBe(429);
    });

    it('count charges without a reservation, and what was spent before they were created', async () => {
      await completed(100_000_000, ANN, GUIDE, []);
      await charged(50_000_000, ANN, GUIDE, []);
      const { id } = await made({ scope: 'bot', scope_id: GUIDE });
      await shows(id, { spent: 0.15 });
      expect((await lend(id, 850_000_001)).status).toBe(429);
      expect((await lend(id, 850_000_000)).status).toBe(200);
    });

    it('for a group count reservations', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Research' });
      const { body } = await lend(id, 10);
      await submitted(ANN, null, [`${id}/${body.block}`]);
      await completed(7, ANN, null, [`${id}/${body.block}`]);
      await shows(id, { spent: 0.000000007 });
    });

    it('in mode soft always lend, and report when they are exceeded', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Sales', mode: 'soft', limit: 0.000000001 });
      expect((await lend(id, 10)).body).toMatchObject({ amount: 10, is_beyond: true });
    });

    it('in mode soft are not exceeded by a block of exactly the remaining amount', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Exact', mode: 'soft', limit: 0.00000001 });
      expect((await lend(id, 10)).body).toMatchObject({ amount: 10, is_beyond: false });
    });

    it('keep a block for a reply that was still running when one of its calls was charged', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Calls' });
      const { body } = await lend(id, 100);
      const mark = `${id}/${body.block}`;
      await submitted(ANN, null, [mark]);
      await charged(7, ANN, null, [mark]);
      await shows(id, { spent: 0.000000007 });
      const { body: next } = await lend(id, 1, { closed: [{ block: body.block, uses: 1 }] });
      expect(Math.round((await one(id)).reserved * 1e9)).toBe(body.amount - 7 + next.amount);
    });

    it('get a block back if its replies were free', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Free' });
      const { body } = await lend(id, 100, { closed: [] });
      const mark = `${id}/${body.block}`;
      await submitted(ANN, null, [mark]);
      await completed(0, ANN, null, [mark]);
      await request(service.server)
        .post(`/internal/budgets/${id}/close`)
        .set(service.asService('inference'))
        .send({ closed: [{ block: body.block, uses: 1 }] });
      await shows(id, { spent: 0, reserved: 0 });
    });

    it('get blocks of lost borrowers back after the lease', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Lost' });
      const { body } = await lend(id, 1_000_000_000);
      await submitted(ANN, null, [`${id}/${body.block}`]);
      await completed(7, ANN, null, [`${id}/${body.block}`]);
      await shows(id, { reserved: 0.999999993 });
      service.later(90_000);
      await shows(id, { reserved: 0 });
    });

    it('lend the same nano-dollar only once', async () => {
      const { id } = await made({ scope: 'group', scope_id: 'Busy' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => lend(id, 100_000_000)));
      const amounts = answers.filter(({ status }) => status === 200).map(({ body }) => body.amount);
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(1_000_000_000);
      expect(amounts.length).toBeGreaterThan(0);
    });

    it('can spend more after a downward correction of a charge, and less after an upward one', async () => {
      const today = new Date().toISOString().slice(0, 13);
      const { id } = await made({ scope: 'bot', scope_id: CORRECTED, limit: 1 });
      const group = await made({ scope: 'group', scope_id: 'Sales', limit: 1 });
      const marks = [`${group.id}/block`];
      const bot = CORRECTED;
      const corrected = (spent_difference_nano_dollars: number) =>
        hear(
          'charge-corrected',
          {
            charge_id: 'c',
            cost_nano_dollars: 1,
            hour: today,
            user_id: BEN,
            bot_id: bot,
            model: 'm',
            // An earlier restatement found another cost, which does not change the spending of budgets.
            difference_nano_dollars: 5,
            spent_difference_nano_dollars,
            budgets: marks,
          },
          'restatements',
        );
      await completed(900_000_000, BEN, bot, marks);
      await shows(id, { spent: 0.9 });
      expect((await lend(id, 200_000_000)).status).toBe(429);
      await corrected(-650_000_000);
      await shows(id, { spent: 0.25 });
      await shows(group.id, { spent: 0.25 });
      expect((await lend(id, 200_000_000)).status).toBe(200);
      await corrected(600_000_000);
      await shows(id, { spent: 0.85 });
      expect((await lend(id, 200_000_000)).status).toBe(429);
    });
  });
}
