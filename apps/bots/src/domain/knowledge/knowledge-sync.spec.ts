import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { at, claim, counts, failed, first, given, removed, started, succeed, succeeded } from '../../../test/sync-events.ts';
import { knowledgeSync } from './knowledge-sync.ts';
import type { SyncCommand } from './sync-commands.ts';
import type { SyncEvent } from './sync-events.ts';

describe('a run', () => {
  it('is taken by the first worker that claims it', () =>
    given()
      .when(claim('one', 1, 0))
      .emits(first));
  it('is refused to a second worker while the lease of the first lasts', () =>
    given(first)
      .when(claim('two', 1, 0.5))
      .refuses('sync_claimed'));
  it('is taken over when the lease has ended, and stays the same run', () =>
    given(first)
      .when(claim('two', 1, 1))
      .emits({ type: 'SyncTakenOver', runId: 'one', claim: 'two-claim', leaseUntil: at(2) }));
  it('is taken over from a worker whose clock was ahead', () =>
    given({ ...first, leaseUntil: at(1_440) } as SyncEvent)
      .when(claim('two', 1, 0))
      .emits({ type: 'SyncTakenOver', runId: 'one', claim: 'two-claim', leaseUntil: at(1) }));
  it('keeps its worker as long as that worker extends the lease', () =>
    given(first, { type: 'SyncAdvanced', runId: 'one', step: 'parse', counts, leaseUntil: at(5) })
      .when(claim('two', 1, 4))
      .refuses('sync_claimed'));
  it('fails when its deadline has passed', () =>
    given(first)
      .when(claim('two', 1, 100))
      .emits({ type: 'SyncFailed', runId: 'one', wanted: 1, because: 'deadline', reason: null, failures: 0, counts: null }));
  it('is abandoned for a newer version of the bot, even while its lease lasts', () =>
    given(first)
      .when(claim('two', 2, 0.5))
      .emits({ type: 'SyncAbandoned', runId: 'one' }, started('two', 2, 0.5)));
  it('is not taken again when it has ended', () =>
    given(first, succeeded('one', 1))
      .when(claim('two', 1, 5))
      .refuses('sync_is_over'));
  it('does not start for an older version', () =>
    given(first, succeeded('one', 3))
      .when(claim('two', 2, 5))
      .refuses('sync_is_over'));
});

describe('the result of a run', () => {
  it('puts the index in service', () => given(first).when(succeed('one')).emits(succeeded('one', 1)));
  it('is refused from a worker that has lost the run', () =>
    given(first, { type: 'SyncTakenOver', runId: 'one', claim: 'other', leaseUntil: at(9) })
      .when(succeed('one'))
      .refuses('claim_lost'));
  it('is refused from a run that was abandoned', () =>
    given(first, { type: 'SyncAbandoned', runId: 'one' }, started('two', 2, 1))
      .when(succeed('one'))
      .refuses('sync_is_over'));
  it('is refused the second time', () => given(first, succeeded('one', 1)).when(succeed('one')).refuses('sync_is_over'));
  it('can be a failure, with its reason', () =>
    given(first)
      .when({ type: 'Fail', runId: 'one', claim: 'one-claim', reason: 'sealed', cause: 'sealed cause', failures: 1, step: 'parse', counts })
      .emits(failed));
  it('reports progress and extends the lease', () =>
    given(first)
      .when({ type: 'Advance', runId: 'one', claim: 'one-claim', step: 'embed', counts, leaseUntil: at(7) })
      .emits({ type: 'SyncAdvanced', runId: 'one', step: 'embed', counts, leaseUntil: at(7) }));
});

describe('a request to read the sources again', () => {
  const requested: SyncEvent = { type: 'SyncRequested', by: 'ann' };
  const scheduled: SyncEvent = { type: 'SyncScheduled', due: at(60) };
  it('is recorded', () => given(failed).when({ type: 'Request', by: 'ann' }).emits(requested));
  it('is recorded once until it is answered', () => given(requested).when({ type: 'Request', by: 'bob' }).emits());
  it('begins a run of the same version', () =>
    given(first, succeeded('one', 1), requested)
      .when(claim('two', 1, 5))
      .emits(started('two', 1, 5, 'requested')));
  it('abandons a run in progress', () =>
    given(first, requested)
      .when(claim('two', 1, 0.5))
      .emits({ type: 'SyncAbandoned', runId: 'one' }, started('two', 1, 0.5, 'requested')));
  it('is answered once', () =>
    given(first, succeeded('one', 1), requested, started('two', 1, 5, 'requested'), succeeded('two', 1))
      .when(claim('three', 1, 9))
      .refuses('sync_is_over'));
  it('takes precedence over a request of the schedule', () =>
    given(first, succeeded('one', 1), requested, scheduled)
      .when(claim('two', 1, 5))
      .emits(started('two', 1, 5, 'requested')));
  it('from the schedule is recorded once for each scheduled time', () =>
    given(scheduled)
      .when({ type: 'RequestOnSchedule', due: at(60) })
      .emits());
  it('from the schedule is recorded again for a later time', () =>
    given(scheduled)
      .when({ type: 'RequestOnSchedule', due: at(120) })
      .emits({ type: 'SyncScheduled', due: at(120) }));
});

describe('a deleted bot', () => {
  it('has its knowledge removed', () =>
    given(first, succeeded('one', 1)).when({ type: 'Remove', ownerUserId: 'ann', chunks: 3 }).emits(removed));
  it('ends a run that has not created an index yet', () =>
    given(first)
      .when({ type: 'Remove', ownerUserId: 'ann', chunks: 0 })
      .emits({ ...removed, chunks: 0 }));
  it('records nothing if no run has read anything', () => {
    given().when({ type: 'Remove', ownerUserId: 'ann', chunks: 0 }).emits();
    given(started('one', 0, 5, 'requested'), succeeded('one', 0))
      .when({ type: 'Remove', ownerUserId: 'ann', chunks: 0 })
      .emits();
  });
  it('has its knowledge removed once', () => given(removed).when({ type: 'Remove', ownerUserId: 'ann', chunks: 0 }).emits());
  it.each([claim('two', 2, 5), succeed('one'), { type: 'Request', by: 'ann' } as const])('is refused any run: $type', (command) =>
    given(first, removed).when(command).refuses('bot_not_found'),
  );
});

describe('any history', () => {
  const versions = fc.integer({ min: 1, max: 4 });
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const commands: fc.Arbitrary<(now: number) => SyncCommand> = fc.oneof(
    fc.tuple(ids, versions).map(
      ([id, wanted]) =>
        (now: number) =>
          claim(id, wanted, now),
    ),
    ids.map((id) => () => succeed(id)),
    ids.map(
      (id) => () =>
        ({ type: 'Fail', runId: id, claim: `${id}-claim`, reason: 'r', cause: 'c', failures: 1, step: 'parse', counts }) as const,
    ),
    fc.constant(() => ({ type: 'Request', by: 'ann' }) as const),
  );

  it('puts into service only an index that the worker with the claim has finished, and never an older version after a newer one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0.1, max: 2, noNaN: true }), commands), { maxLength: 30 }), (steps) => {
        const history: SyncEvent[] = [];
        let now = 0;
        let newest = 0;
        for (const [pause, commandAt] of steps) {
          now += pause;
          const command = commandAt(now);
          const before = fold(knowledgeSync, history);
          const decision = knowledgeSync.decide(command, before);
          if (decision instanceof Refusal) continue;
          history.push(...decision);
          for (const event of decision) {
            if (event.type !== 'SyncSucceeded') continue;
            expect(before.run?.claim).toBe(event.generation);
            expect(event.wanted).toBeGreaterThanOrEqual(newest);
            newest = event.wanted;
          }
        }
        const after = fold(knowledgeSync, history);
        // Whatever has happened, a worker can take the owed run once the lease has ended.
        const claimed = knowledgeSync.decide(claim('last', 5, now + 1_000), after);
        expect(claimed).not.toBeInstanceOf(Refusal);
      }),
    );
  });
});

describe('confirming for a publication that the knowledge was read', () => {
  const confirm = (wanted: number, number = 1): SyncCommand => ({ type: 'ConfirmForPublication', number, wanted });
  const confirmed: SyncEvent = { type: 'SyncConfirmedForPublication', number: 1 };
  it('is possible without knowledge', () => given().when(confirm(0)).emits(confirmed));
  it('is possible after a run that has succeeded', () => given(first, succeeded('one', 1)).when(confirm(1)).emits(confirmed));
  it('is written once, and stays after a later run has begun', () =>
    given(first, succeeded('one', 1), confirmed, started('two', 2, 5))
      .when(confirm(1))
      .emits());
  it('is possible after a run that has failed and one that has succeeded', () =>
    given(first, failed, started('two', 2, 5), succeeded('two', 2))
      .when(confirm(2))
      .emits(confirmed));
  it.each<[string, number, readonly SyncEvent[]]>([
    ['is to be read', 1, []],
    ['is read by a run', 1, [first]],
    ['was saved after the last run', 2, [first, succeeded('one', 1)]],
    ['is to be read again', 1, [first, succeeded('one', 1), { type: 'SyncRequested', by: 'ann' }]],
    ['could not be read', 1, [first, failed]],
  ])('refuses knowledge that %s', (_, wanted, events) =>
    given(...events)
      .when(confirm(wanted))
      .refuses('sync_not_succeeded'),
  );
  it('refuses a deleted bot', () =>
    given(first, { type: 'KnowledgeRemoved', ownerUserId: 'ann', chunks: 0 }).when(confirm(1)).refuses('bot_not_found'));
});
