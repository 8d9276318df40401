import { describe, expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Config } from '@parlance/config';
import type { EventStore } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import fc from 'fast-check';
import { callRecordStream } from '../../domain/calls/call-record.ts';
import { type CallsCursor, RecordedCalls } from './recorded-calls.ts';

const NO_FILTER = { userId: null, tokenId: null, model: null, costCentre: null, tag: null, status: null, from: '', to: '9' };
const PAGE = 2;

/** Records with these commits, each of which has so many calls. The first record is the newest. */
function recorded(records: readonly (readonly number[])[]) {
  const streams = records.map((commits, record) => ({
    record_id: `r${9_999 - record}`,
    hour: `2026-01-01T${String(23 - Math.floor(record / 3)).padStart(2, '0')}`,
    version: commits.length,
    commits: commits.map((calls, index) => ({
      version: index + 1,
      events: Array.from({ length: calls }, (_, call) => ({
        event: { type: 'CallCompleted', callId: `${record}.${index}.${call}`, model: call === 7 ? 'rare' : 'm' },
      })),
    })),
  }));
  const queries = {
    execute: async ({ args: [{ after }] }: { args: [{ after: number | null }] }) => {
      const from = after ?? 0;
      return { rows: streams.slice(from, from + PAGE), next: from + PAGE < streams.length ? from + PAGE : null };
    },
  };
  const read = async (stream: string, after: number, commits: number) => {
    const of = streams.find(({ record_id }) => callRecordStream(record_id) === stream)!;
    // As if its bytes had ended the page.
    return { commits: of.commits.slice(after, after + Math.min(commits, 3)), more: true };
  };
  const parts = [queries as unknown as QueryBus, {} as CommandBus, { read } as unknown as EventStore] as const;
  const calls = new RecordedCalls(...parts, new Clock(), { callRetentionDays: 90 } as Config);
  const expected = streams.flatMap(({ commits }) =>
    commits.toReversed().flatMap(({ events }) => events.toReversed().map(({ event }) => event)),
  );
  return { calls, expected };
}

async function allPages(calls: RecordedCalls, filter: typeof NO_FILTER | { model: string }, limit: number) {
  const pages: string[][] = [];
  let cursor: CallsCursor | null = null;
  do {
    const page = await calls.page({ ...NO_FILTER, ...filter }, limit, cursor);
    pages.push(page.calls.map(({ callId }) => callId));
    // As in a signed token.
    cursor = JSON.parse(JSON.stringify(page.next)) as CallsCursor | null;
  } while (cursor !== null);
  return pages;
}

describe('recorded calls', () => {
  it('are listed in full pages, each once, the newest of a record first', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(4), { maxLength: 20 }), { maxLength: 9 }),
        fc.integer({ min: 1, max: 30 }),
        async (records, limit) => {
          const { calls, expected } = recorded(records);
          const pages = await allPages(calls, NO_FILTER, limit);
          expect(pages.flat()).toEqual(expected.map(({ callId }) => callId));
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
        },
      ),
    ));
  it('are all found by a rare property, in pages that each read a bounded number of calls', async () => {
    const { calls, expected } = recorded([Array.from({ length: 60 }, () => 300)]);
    const pages = await allPages(calls, { model: 'rare' }, 1_000);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual(expected.filter(({ model }) => model === 'rare').map(({ callId }) => callId));
  });
});
