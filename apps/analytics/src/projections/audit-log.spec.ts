import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cursor, put } from '@parlance/read-models';
import { storedRows, type StoredRows } from '../../test/stored-rows.ts';
import { AuditEntries, type AuditFilter, auditLog, type AuditRow, auditRows, MOST_LOOKED_THROUGH } from './audit-log.ts';

const ENTRIES = 3_000;
const FAILED = 100;

const entryOf = (index: number): AuditRow => ({
  id: `entry-${String(index).padStart(4, '0')}`,
  user_id: 'ann',
  action_type: index % 2 === 0 ? 'modify_bot' : 'create_bot',
  resource_type: 'bot',
  resource_id: `bot-${index}`,
  // Some entries share a second.
  timestamp: Math.floor(index / 3),
  details: {},
  ip_address: null,
  user_agent: null,
  success: index % FAILED !== 0,
  error_message: null,
  hash: '',
  position: index,
});
const entries = Array.from({ length: ENTRIES }, (_, index) => entryOf(index));

describe('the entries that match a filter', () => {
  let rows: StoredRows;
  const find = (filter: AuditFilter, limit: number, after?: Cursor) => AuditEntries.find(rows.models, filter, limit, after);
  const read = () => rows.read()[auditRows.name] ?? 0;

  beforeAll(async () => {
    rows = await storedRows(auditLog);
    await rows.write(entries.map((row) => [put(auditRows, row.id, row)]));
  });
  afterAll(() => rows.end());

  it.each<AuditFilter>([
    { action_type: 'modify_bot', success: false },
    { action_type: 'modify_bot', success: false, resource_type: 'bot' },
    { action_type: 'modify_bot', success: false, between: { from: 100, to: 900 } },
  ])('%j are read page by page, without the others', async (filter) => {
    const { from, to } = filter.between ?? { from: 0, to: ENTRIES };
    const matching = entries.filter((row) => !row.success && row.timestamp >= from && row.timestamp <= to);
    const found: string[] = [];
    for (let after: Cursor | undefined, isFirst = true; isFirst || after; isFirst = false) {
      const page: { rows: readonly AuditRow[]; next: Cursor | null } = await find(filter, 7, after);
      expect(read()).toBeLessThanOrEqual(8);
      found.push(...page.rows.map(({ id }) => id));
      after = page.next ?? undefined;
    }
    expect(found).toEqual(matching.map(({ id }) => id).toReversed());
  });
  it('are searched in turns of the event loop', async () => {
    let turns = 0;
    const counting = () => {
      turns++;
      next = setImmediate(counting);
    };
    let next = setImmediate(counting);
    const page = await find({ user_id: 'ann', action_type: 'delete_bot' }, 10);
    clearImmediate(next);
    expect([page.rows, read()]).toEqual([[], ENTRIES]);
    expect(turns).toBeGreaterThan(0);
  });
  it('can exclude the refused refreshes of unknown callers', async () => {
    const refresh = { action_type: 'refresh_session', success: false, user_id: 'anonymous', timestamp: ENTRIES };
    const noise = { ...entryOf(ENTRIES), ...refresh };
    const others = [
      { ...noise, user_id: 'ann' },
      { ...noise, action_type: 'sign_in' },
      { ...noise, success: true },
    ].map((row, index) => ({ ...row, id: `other-${index}` }));
    await rows.write([[noise, ...others].map((row) => put(auditRows, row.id, row))]);
    const ids = async (filter: AuditFilter) =>
      (await find({ ...filter, between: { from: ENTRIES, to: ENTRIES } }, 10)).rows.map(({ id }) => id).toSorted();
    expect(await ids({ without_noise: true })).toEqual(others.map(({ id }) => id));
    expect(await ids({})).toEqual([noise.id, ...others.map(({ id }) => id)]);
  });
  it('are searched in a bounded part of the log for each page', async () => {
    const from = 10 * ENTRIES;
    const many = Array.from({ length: MOST_LOOKED_THROUGH + 2_000 }, (_, index) => ({
      ...entryOf(index),
      id: `many-${String(index).padStart(5, '0')}`,
      action_type: index === 0 ? 'rare' : 'frequent',
      user_id: 'ben',
      timestamp: from + index,
    }));
    await rows.write([many.map((row) => put(auditRows, row.id, row))]);
    rows.read();
    const filter = { user_id: 'ben', action_type: 'rare' };
    const first = await find(filter, 10);
    expect([first.rows, first.next !== null]).toEqual([[], true]);
    expect(read()).toBeLessThanOrEqual(MOST_LOOKED_THROUGH + 500);
    expect((await find(filter, 10, first.next!)).rows.map(({ id }) => id)).toEqual(['many-00000']);
  });
});
