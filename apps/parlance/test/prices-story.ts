import { describe, expect, it } from '@jest/globals';
import type { Story } from './people-story.ts';

const nano = (dollars: number) => Math.round(dollars * 1e9);

/** Restated costs at corrected prices, from the log of inference to the figures of analytics, in every shape of the product. */
export function pricesStory(story: () => Story): void {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    story().ask(method, path, body, { authorization: `Bearer ${story().adminToken}` });

  describe('a wrong price', () => {
    const from = '2026-01-01T00:00:00Z';
    let difference: number;

    it('is corrected for past charges, first in a dry run', async () => {
      const set = await asAdmin('PUT', '/admin/models/local-extractive/prices', { from, input: 1, output: 4 });
      expect(set.status).toBe(200);
      for (const dry_run of [true, false]) {
        const requested = await asAdmin('POST', '/admin/costs/restate', { from, dry_run });
        expect([requested.status, requested.body.dry_run]).toEqual([202, dry_run]);
        const { body } = await story().until(
          'the restatement',
          () => asAdmin('GET', `/admin/costs/restatements/${requested.body.id}`),
          (answer) => answer.body.status === 'completed',
        );
        expect(body.total.as_billed).toBeGreaterThan(0);
        // Both prices are doubled.
        expect(nano(body.total.as_corrected)).toBe(2 * nano(body.total.as_billed));
        ({ difference } = body.total);
      }
    });
    it('is shown beside the billed costs, with the same total by user and by model', async () => {
      const { body } = await story().until(
        'the corrections',
        () => asAdmin('GET', '/admin/costs/summary?top_n=100'),
        (answer) => nano(answer.body.as_corrected) === nano(answer.body.as_billed) + nano(difference),
      );
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + nano(amount), 0);
      expect(sum(Object.values(body.by_model_as_corrected))).toBe(nano(body.as_corrected));
      expect(sum(body.top_users.map((user: { as_corrected: number }) => user.as_corrected))).toBe(nano(body.as_corrected));
      expect(sum(body.daily.map((day: { as_corrected: number }) => day.as_corrected))).toBe(nano(body.as_corrected));
    });
    it('is in the audit log, with the corrections', async () => {
      const { body } = await story().until(
        'the entries',
        () => asAdmin('GET', '/admin/audit-logs?action_type=restate_costs'),
        (answer) => answer.body.audit_logs.length === 2,
      );
      expect(body.audit_logs.map(({ details }: { details: { dry_run: boolean } }) => details.dry_run)).toEqual([false, true]);
    });
  });
}
