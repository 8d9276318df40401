import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { firstIdAt } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import fc from 'fast-check';
import { exportIndex, oldestHourKept } from './export-index.ts';

const idAt = (time: string) => `${firstIdAt(Date.parse(time))}0000000000000000`;
const event = (name: string, time: string, data: object): CloudEvent =>
  ({
    type: `parlance.inference.${name}.v1`,
    time,
    sequence: '1.0',
    data: { conversation_id: 'c', user_id: 'ann', bot_id: null, ...data },
  }) as unknown as CloudEvent;

const asked = '2026-01-01T10:59:59.000Z';
const reply_id = idAt(asked);
const events = [
  event('message-submitted', asked, { message_id: idAt(asked), reply_id }),
  event('reply-completed', '2026-01-01T11:00:03.000Z', { reply_id, cost_nano_dollars: 5 }),
  event('tokens-charged', '2026-01-01T11:00:04.000Z', { cost_nano_dollars: 2 }),
  event('feedback-given', '2026-01-03T08:00:00.000Z', { reply_id }),
];

/** The rows that events produce, by table and key. */
function rowsOf(all: readonly CloudEvent[]): Record<string, Record<string, unknown>> {
  const rows: Record<string, Record<string, unknown>> = {};
  for (const change of all.flatMap((one) => exportIndex.changes(one))) {
    const place = `${change.table.name} ${change.key}`;
    if (change.op === 'update') rows[place] = change.change(rows[place] ?? null) as Record<string, unknown>;
    if (change.op === 'add') {
      const before = rows[place] ?? { ...change.start, nano_dollars: 0 };
      rows[place] = { ...before, nano_dollars: Number(before['nano_dollars']) + (change.amounts['nano_dollars'] ?? 0) };
    }
  }
  return rows;
}

describe('the index of exports', () => {
  it('has a message in the hour of its ID, and a cost in the hour of its tokens', () => {
    const place = { conversation_id: 'c', user_id: 'ann', bot_id: null };
    expect(rowsOf(events)).toEqual({
      'exported_conversations 2026010110|c': { hour: '2026010110', ...place, nano_dollars: 0 },
      'exported_conversations 2026010111|c': { hour: '2026010111', ...place, nano_dollars: 7 },
      'export_hours 2026010110': { hour: '2026010110', changes: 3, touched_at: '2026-01-03T08:00:00.000Z' },
      'export_hours 2026010111': { hour: '2026010111', changes: 2, touched_at: '2026-01-01T11:00:04.000Z' },
    });
  });
  it('is the same in any order of the events', () => {
    const shuffled = fc.shuffledSubarray(events, { minLength: events.length });
    fc.assert(fc.property(shuffled, (order) => expect(rowsOf(order)).toEqual(rowsOf(events))));
  });
  it('uses the time of an event for an ID without one', () => {
    const rows = rowsOf([event('reply-failed', asked, { reply_id: 'r' })]);
    expect(Object.keys(rows)).toContain('export_hours 2026010110');
  });
  it('keeps 400 days', () => expect(oldestHourKept(Instant.parse('2026-11-22T10:30:00Z'))).toBe('2025101810'));
});
