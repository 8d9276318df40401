import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import type { Change, Row } from '@parlance/read-models';
import fc from 'fast-check';
import type { BotEvent } from '../../domain/bot.ts';
import { type BotText, DEFAULT_SETTINGS } from '../../domain/configuration.ts';
import { type KnowledgeSync, knowledgeSync } from '../../domain/knowledge/knowledge-sync.ts';
import type { SyncCommand } from '../../domain/knowledge/sync-commands.ts';
import type { SyncCounts, SyncEvent } from '../../domain/knowledge/sync-events.ts';
import { FIRST_PAUSE_MILLIS, MOST_TRIES } from '../../domain/knowledge/sync-faults.ts';
import { knowledge } from './knowledge.ts';
import type { SyncRow } from './rows.ts';

const MINUTE = 60_000;
const LEASE_MILLIS = MINUTE / 2;
const LONGEST_PAUSE_MILLIS = FIRST_PAUSE_MILLIS * 2 ** (MOST_TRIES.other - 2);
const BEGIN = Instant.ofMillis(Date.UTC(2026, 0, 1));
const BOT = 'b1';
const sources = 'sealed' as unknown as BotText;
const nothing = { done: 0, failed: 0, total: 0, unchanged: 0 };
const counts: SyncCounts = { pages: nothing, sitemaps: nothing, s3: nothing, files: { ...nothing, done: 1, total: 1 }, chunks: 3 };

/** The knowledge of a worker: an earlier state of the row, and the run that it has claimed. */
interface Worker {
  seen: SyncRow | null;
  run: { readonly runId: string; readonly claim: string } | null;
}

/** One bot, its two streams and their projected rows. */
class World {
  now: Instant = BEGIN;
  newest: Instant = BEGIN;
  private readonly rows = new Map<string, Row>();
  private readonly history: SyncEvent[] = [];
  private version = 0;
  private ids = 0;
  readonly workers: Worker[] = [
    { seen: null, run: null },
    { seen: null, run: null },
  ];

  constructor(hasSources: boolean) {
    const texts = { title: sources, description: null, instruction: null, quickStarters: null, knowledge: hasSources ? sources : null };
    this.ofBot({ type: 'BotCreated', ownerUserId: 'ann', configuration: { ...texts, settings: DEFAULT_SETTINGS } } as unknown as BotEvent);
  }

  get row(): SyncRow {
    return this.rows.get(`knowledge_syncs/${BOT}`) as SyncRow;
  }

  get cause(): unknown {
    return this.rows.get(`knowledge_causes/${BOT}`);
  }

  get state(): KnowledgeSync {
    return fold(knowledgeSync, this.history);
  }

  pass(millis: number): void {
    this.now = Instant.plus(this.now, millis);
    if (this.now > this.newest) this.newest = this.now;
  }

  configure(changes: object): void {
    this.ofBot({ type: 'BotConfigured', by: 'ann', changes } as BotEvent);
  }

  execute(command: SyncCommand): Refusal | readonly SyncEvent[] {
    const decision = knowledgeSync.decide(command, this.state);
    if (decision instanceof Refusal) return decision;
    for (const event of decision) {
      this.history.push(event);
      this.project(event, `knowledge-${BOT}`, this.history.length);
    }
    return decision;
  }

  /** Claims the run of a row, which may be outdated. */
  claim(row: SyncRow, worker?: Worker): Refusal | readonly SyncEvent[] {
    const [runId, claim] = [`run${++this.ids}`, `claim${this.ids}`];
    const { now } = this;
    const times = { now, leaseUntil: Instant.plus(now, LEASE_MILLIS), deadline: Instant.plus(now, 120 * MINUTE) };
    const made = this.execute({ type: 'Claim', runId, claim, wanted: row.wanted, ...times });
    const { run } = this.state;
    if (worker && run?.claim === claim) worker.run = run;
    return made;
  }

  private ofBot(event: BotEvent): void {
    this.project(event, `bot-${BOT}`, ++this.version);
  }

  project(event: BotEvent | SyncEvent, stream: string, version: number): void {
    const metadata = { at: this.now, actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'c', causationId: null };
    for (const change of knowledge.changes(event, { stream, version, position: 1, id: 'e', metadata })) this.apply(change);
  }

  private apply(change: Change): void {
    const place = `${change.table.name}/${change.key}`;
    if (change.op === 'put') this.rows.set(place, change.row);
    else if (change.op === 'remove') this.rows.delete(place);
    else if (change.op === 'update') this.rows.set(place, change.change(this.rows.get(place) ?? null)!);
    // Sums of what was removed are not checked here.
    else if (change.op !== 'add') throw new Error(`not expected: ${change.op}`);
  }
}

const workerIds = fc.constantFrom(0, 1);
type Step = (world: World) => void;
const own = (world: World, index: number, command: (run: NonNullable<Worker['run']>) => SyncCommand) => {
  const { run } = world.workers[index]!;
  if (run) world.execute(command(run));
};
const { bedrock_knowledge_base: base } = DEFAULT_SETTINGS;

/** Each step, with its name in the output of a failing history. */
const steps: fc.Arbitrary<{ readonly what: string; readonly make: Step }> = fc.oneof(
  fc.constantFrom<{ what: string; make: Step }>(
    { what: 'save sources', make: (world) => world.configure({ knowledge: sources }) },
    { what: 'save without sources', make: (world) => world.configure({ knowledge: null }) },
    { what: 'save the same settings', make: (world) => world.configure({ settings: { bedrock_knowledge_base: base } }) },
    {
      what: 'save other settings',
      make: (world) =>
        world.configure({ settings: { bedrock_knowledge_base: { ...base, chunking_configuration: { chunking_strategy: 'none' } } } }),
    },
    { what: 'save a schedule', make: (world) => world.configure({ settings: { sync_schedule: '*/15 * * * *' } }) },
    { what: 'save no schedule', make: (world) => world.configure({ settings: { sync_schedule: null } }) },
    { what: 'request', make: (world) => world.execute({ type: 'Request', by: 'ann' }) },
    {
      what: 'start the due run of the schedule',
      make: (world) => {
        const { next_time } = world.row;
        if (next_time !== null && next_time <= world.now) world.execute({ type: 'RequestOnSchedule', due: Instant.ofMillis(next_time) });
      },
    },
  ),
  fc
    .constantFrom(1_000, LEASE_MILLIS, 3 * MINUTE, 15 * MINUTE, 130 * MINUTE, -1_000, -20 * MINUTE)
    .map((millis) => ({ what: `pass ${millis}`, make: (world: World) => world.pass(millis) })),
  workerIds.chain((index) =>
    fc.constantFrom<{ what: string; make: Step }>(
      { what: `look ${index}`, make: (world) => void (world.workers[index]!.seen = world.row) },
      {
        what: `claim ${index}`,
        make: (world) => {
          const worker = world.workers[index]!;
          if (worker.seen) world.claim(worker.seen, worker);
        },
      },
      {
        what: `read the row and claim ${index}`,
        make: (world) => {
          if (world.row.owed && world.row.due_time <= world.now) world.claim(world.row, world.workers[index]);
        },
      },
      {
        what: `advance ${index}`,
        make: (world) =>
          own(world, index, (run) => ({
            type: 'Advance',
            ...run,
            step: 'parse',
            counts,
            leaseUntil: Instant.plus(world.now, LEASE_MILLIS),
          })),
      },
      {
        what: `leave ${index}`,
        make: (world) => own(world, index, (run) => ({ type: 'Advance', ...run, step: 'parse', counts, leaseUntil: world.now })),
      },
      {
        what: `succeed ${index}`,
        make: (world) =>
          own(world, index, (run) => ({ type: 'Succeed', ...run, generation: run.claim, fingerprint: 'f', counts, warnings: null })),
      },
      {
        what: `interrupt ${index}`,
        make: (world) =>
          own(world, index, (run) => ({
            type: 'Interrupt',
            ...run,
            reason: 'r',
            retryReason: 'r',
            cause: 'c',
            fault: 'other',
            now: world.now,
            step: 'embed',
            counts,
          })),
      },
      {
        what: `fail ${index}`,
        make: (world) =>
          own(world, index, (run) => ({ type: 'Fail', ...run, reason: 'r', cause: 'c', failures: 1, step: 'parse', counts })),
      },
    ),
  ),
);

const histories = (check: (world: World) => void) =>
  fc.assert(
    fc.property(fc.boolean(), fc.array(steps, { maxLength: 40, size: 'max' }), (hasSources, made) => {
      const world = new World(hasSources);
      for (const { make } of made) {
        make(world);
        check(world);
      }
    }),
    { numRuns: 300 },
  );

describe('the row of a bot, after any history of saves, requests and workers', () => {
  it('has a due run if and only if its stream has a run in progress or to start', () => {
    histories(({ row, state }) => {
      const { run, settled, requested } = state;
      expect([row.settled, row.requested]).toEqual([settled, requested]);
      expect(row.owed).toBe(run !== null || requested !== null || row.wanted > settled ? 1 : 0);
    });
  });
  it('shows the state of its run', () => {
    histories(({ row, state: { run } }) => {
      const expected = row.owed === 0 ? ['SUCCEEDED', 'FAILED'] : run && run.wanted >= row.wanted ? ['RUNNING'] : ['QUEUED'];
      expect(expected).toContain(row.status);
    });
  });
  it('shows that the run can be claimed only if a worker can claim it', () => {
    histories((world) => {
      const { row } = world;
      if (row.owed === 0 || row.due_time > world.now) return;
      const times = { now: world.now, leaseUntil: Instant.plus(world.now, 1), deadline: Instant.plus(world.now, 1) };
      const command = { type: 'Claim', runId: 'x', claim: 'x', wanted: row.wanted, ...times } as const;
      expect(knowledgeSync.decide(command, world.state)).not.toBeInstanceOf(Refusal);
    });
  });
  it('does not wait for a worker that does not work on the due run', () => {
    histories(({ row, newest }) => {
      if (row.status === 'QUEUED') expect(row.due_time).toBeLessThanOrEqual(newest);
      else expect(row.due_time).toBeLessThanOrEqual(newest + LONGEST_PAUSE_MILLIS);
    });
  });
  it('keeps its position among the waiting runs when the bot is saved or a run is requested', () => {
    histories((world) => {
      const before = world.row;
      if (before.status !== 'QUEUED') return;
      world.configure({ knowledge: sources });
      world.execute({ type: 'Request', by: 'ann' });
      expect(world.row).toMatchObject({ status: 'QUEUED', due_time: before.due_time });
    });
  });
  it('does not change when another run advances', () => {
    const world = new World(true);
    const before = world.row;
    world.project({ type: 'SyncAdvanced', runId: 'unknown', step: 'parse', counts, leaseUntil: world.now }, `knowledge-${BOT}`, 1);
    expect(world.row).toEqual(before);
  });
  it('has the cause of the newest failure only, and none if an earlier release has recorded it', () => {
    const world = new World(true);
    const failed = { type: 'SyncFailed', runId: 'r', wanted: 1, because: 'fault', reason: 'r', failures: 0, counts } as const;
    world.project({ ...failed, cause: 'sealed' }, `knowledge-${BOT}`, 1);
    expect(world.cause).toEqual({ bot_id: BOT, cause: 'sealed' });
    world.project(failed, `knowledge-${BOT}`, 2);
    expect(world.cause).toBeUndefined();
    world.project({ type: 'SyncInterrupted', runId: 'r', leaseUntil: world.now, reason: 'r', cause: 'later' }, `knowledge-${BOT}`, 3);
    world.project({ type: 'KnowledgeRemoved', ownerUserId: 'ann', chunks: 0 }, `knowledge-${BOT}`, 4);
    expect(world.cause).toBeUndefined();
  });
  it('has the next time of the schedule after each scheduled time', () => {
    histories((world) => {
      const { next_time } = world.row;
      if (next_time === null || next_time > world.now) return;
      world.execute({ type: 'RequestOnSchedule', due: Instant.ofMillis(next_time) });
      expect(world.row.next_time).toBeGreaterThan(next_time);
    });
  });
  it('ends with an index of the newest version, when one worker continues', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(steps, { maxLength: 40, size: 'max' }), (hasSources, made) => {
        const world = new World(hasSources);
        for (const { make } of made) make(world);
        const worker: Worker = { seen: null, run: null };
        for (let round = 0; round < 5 && world.row.owed === 1; round++) {
          world.pass(Math.max(0, world.row.due_time - world.now));
          worker.run = null;
          world.claim(world.row, worker);
          const run = worker.run as Worker['run'];
          if (run) world.execute({ type: 'Succeed', ...run, generation: run.claim, fingerprint: 'f', counts, warnings: null });
        }
        expect(world.row).toMatchObject({ owed: 0, settled: world.state.settled });
        expect(world.row.wanted).toBeLessThanOrEqual(world.row.settled);
      }),
    );
  });
});

describe('the knowledge of a deleted bot', () => {
  const deleted: BotEvent = { type: 'BotDeletedWithOwner', ownerUserId: 'ann', sharing: { scope: 'private' } } as unknown as BotEvent;

  it('is listed as left by its owner until it is removed, and no run of it is due', () => {
    const world = new World(true);
    const worker = world.workers[0]!;
    world.claim(world.row, worker);
    world.project(deleted, `bot-${BOT}`, 2);
    const left = { left_by: 'ann', owed: 0, next_time: null };
    expect(world.row).toMatchObject(left);
    world.execute({ type: 'Succeed', ...worker.run!, generation: 'g', fingerprint: 'f', counts, warnings: null });
    expect(world.row).toMatchObject(left);
    world.execute({ type: 'Remove', ownerUserId: 'ann', chunks: 3 });
    expect(world.row).toBeUndefined();
  });
  it('is listed no longer once it is removed, after any history', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(steps, { maxLength: 40, size: 'max' }), (hasSources, made) => {
        const world = new World(hasSources);
        for (const { make } of made) make(world);
        world.project(deleted, `bot-${BOT}`, 2);
        world.execute({ type: 'Remove', ownerUserId: 'ann', chunks: 0 });
        expect(world.row ?? null).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
  it('is not listed if no run has read anything, because then nothing is left', () => {
    const world = new World(true);
    world.project(deleted, `bot-${BOT}`, 2);
    expect(world.row).toBeNull();
  });
});
