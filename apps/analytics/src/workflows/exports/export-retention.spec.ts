import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { ExportRetention } from './export-retention.ts';

const noon = Instant.parse('2026-06-01T12:00:00Z');
/** More days than a round reads after they fail. */
const days = Array.from({ length: 150 }, (_, nth) => new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10).replaceAll('-', ''));

describe('a round of export retention that broke off', () => {
  it('is continued by the rule as it is now', async () => {
    let isIdentityUp = false;
    const rule = { rule_id: 'r', days: 1 };
    const claimed: string[] = [];
    const answers: Record<string, () => Promise<unknown>> = {
      identity: async () => {
        if (!isIdentityUp) throw new Error('identity is down');
        return { user_ids: [], bot_ids: [] };
      },
      inference: async () => ({ rule: { ...rule } }),
    };
    const rows = days.map((period) => ({ period, written: { key: period } }));
    const parts = [
      { execute: async ({ id }: { id: string }) => (claimed.push(id), { state: { claim: null } }) },
      { execute: async ({ args: [kind] }: { args: string[] }) => (kind === 'day' ? rows : []) },
      { get: async (service: string) => answers[service]!() },
      { isThere: true, remove: async () => undefined },
      { now: () => noon },
      { stop: () => undefined },
    ];
    const retention = new (ExportRetention as unknown as new (...given: unknown[]) => ExportRetention)(...parts);
    await expect(retention.removeOld()).rejects.toThrow('100 old exports could not be removed');
    isIdentityUp = true;
    rule.days = 365;
    await retention.removeOld().catch(() => undefined);
    expect(claimed).toEqual([]);
    rule.days = 1;
    await retention.removeOld().catch(() => undefined);
    expect(new Set(claimed)).toEqual(new Set(days));
  });
});
