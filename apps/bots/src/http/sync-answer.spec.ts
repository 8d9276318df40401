import { describe, expect, it } from '@jest/globals';
import type { RunRow, SyncRow } from '../projections/knowledge/rows.ts';
import { syncAnswer } from './sync-answer.ts';

const count = { done: 1, failed: 0, total: 1, unchanged: 0 };
const run: RunRow = {
  id: '01K0000000000000000000000R',
  wanted: 1,
  because: 'saved',
  step: 'complete',
  counts: { pages: count, sitemaps: count, s3: count, files: count, chunks: 7 },
  started: 1_790_000_000,
  finished: 1_790_000_005,
  deadline: 1_790_007_200_000,
};
const row = { bot_id: 'b', wanted: 1, settled: 1, requested: null, status: 'SUCCEEDED', run, chunks: 7, next_time: null } as SyncRow;

const warnings = [{ source: 'a.txt', reason: 'This file is empty.' }];

describe('a run that waits', () => {
  const nothing = { done: 0, failed: 0, total: 0, unchanged: 0 };
  const none = { warnings: [], warning_count: 0 };
  it.each<[string, Partial<SyncRow>]>([
    ['saved', { wanted: 2 }],
    ['saved', { wanted: 2, requested: 'requested' }],
    ['requested', { requested: 'requested' }],
    ['scheduled', { requested: 'scheduled' }],
  ])('has its own reason (%s), and not the ID, times and figures of the previous run', (because, waiting) => {
    expect(syncAnswer({ ...row, status: 'QUEUED', ...waiting }, { reason: '', cause: null }, none)).toMatchObject({
      execution_id: null,
      because,
      step: 'queue',
      sources: { pages: nothing, sitemaps: nothing, s3: nothing, files: nothing },
      chunks: 0,
      chunks_in_service: 7,
      start_time: null,
      end_time: null,
    });
  });
  it('has its own ID, times and figures when it has ended', () =>
    expect(syncAnswer(row, { reason: '', cause: null }, { warnings, warning_count: 3 })).toMatchObject({
      execution_id: run.id,
      because: 'saved',
      step: 'complete',
      warnings,
      warning_count: 3,
      chunks: 7,
      start_time: run.started,
      end_time: run.finished,
    }));
});
