import { setImmediate } from 'node:timers/promises';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import { pino } from 'pino';
import type { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { SyncRun } from './sync-run.ts';
import { RUNS_AT_ONCE, RUNS_OF_AN_OWNER, SyncRuns } from './sync-runs.ts';

type Claim = InstanceType<typeof ExecuteKnowledgeSync>;

/** The runs of a process with these waiting runs. The test decides when a worker ends. */
function runs(waiting: readonly Pick<SyncRow, 'bot_id' | 'owner_user_id'>[], claim: (botId: string) => Promise<void> = async () => {}) {
  const begun: { readonly botId: string; readonly end: () => void }[] = [];
  const taken = new Set<string>();
  const commands = {
    execute: async ({ id, command }: Claim) => {
      await claim(id);
      taken.add(id);
      return { state: { run: command } };
    },
  };
  const queries = { execute: async () => waiting.filter(({ bot_id }) => !taken.has(bot_id)) };
  const run = { work: ({ botId }: ClaimedRun) => new Promise<void>((end) => begun.push({ botId, end })) };
  const subject = new SyncRuns(
    commands as unknown as CommandBus,
    queries as unknown as QueryBus,
    run as unknown as SyncRun,
    { now: () => Instant.ofMillis(1_000) } as Clock,
    pino({ enabled: false }),
  );
  return { subject, begun, stop: () => subject.stop() };
}

const row = (owner_user_id: string, bot_id: string) => ({ owner_user_id, bot_id });
const many = (owner: string, count: number) => Array.from({ length: count }, (_, index) => row(owner, `${owner}${index}`));

describe('the runs of a process', () => {
  it('start in turns of their owners', async () => {
    const { subject, begun } = runs([...many('ann', 20), ...many('ben', 2)]);
    subject.wake();
    for (let index = 0; index < 4; index++) {
      await waitFor(() => begun.length === index + RUNS_AT_ONCE, { what: 'the next run' });
      begun[index]!.end();
    }
    expect(begun.slice(0, 4).map(({ botId }) => botId)).toEqual(['ann0', 'ben0', 'ann1', 'ben1']);
  });
  it('leave a slot for another owner, however many runs of one owner wait', async () => {
    const { subject, begun } = runs(many('ann', 20));
    subject.wake();
    await waitFor(() => begun.length === RUNS_OF_AN_OWNER, { what: 'the runs of one owner' });
    await setImmediate();
    expect(begun.map(({ botId }) => botId)).toEqual(['ann0', 'ann1']);
    expect(RUNS_OF_AN_OWNER).toBeLessThan(RUNS_AT_ONCE);
    begun[0]!.end();
    await waitFor(() => begun.length === RUNS_OF_AN_OWNER + 1, { what: 'the next run' });
  });
  it('start although others cannot be claimed because of a fault', async () => {
    const faulty = async (botId: string) => {
      if (botId.startsWith('ann')) throw new Error('the stream cannot be read');
    };
    const { subject, begun } = runs([...many('ann', 20), row('ann', 'last'), row('ben', 'b')], faulty);
    subject.wake();
    await waitFor(() => begun.length === 2, { what: 'the runs without a fault' });
    expect(begun.map(({ botId }) => botId)).toEqual(['b', 'last']);
  });
  it('start although others are refused', async () => {
    const refused = async (botId: string) => {
      if (botId.startsWith('ann')) throw refuse('conflict', 'sync_claimed', 'Another worker has this run.');
    };
    const { subject, begun } = runs([...many('ann', 100), row('ann', 'last')], refused);
    subject.wake();
    await waitFor(() => begun.length === 1, { what: 'the run that is free' });
    expect(begun[0]!.botId).toBe('last');
  });
  it('have ended when the process stops, including those that are about to be claimed', async () => {
    let claimed = () => {};
    const claiming = new Promise<void>((resolve) => (claimed = resolve));
    const { subject, begun, stop } = runs([row('ann', 'a')], () => claiming);
    subject.wake();
    await setImmediate();
    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    await setImmediate();
    claimed();
    await waitFor(() => begun.length === 1, { what: 'the claimed run' });
    expect(isStopped).toBe(false);
    begun[0]!.end();
    await stopped;
  });
});
