import { describe, it } from '@jest/globals';
import { at, claim, counts, first, given, started } from '../../../test/sync-events.ts';
import type { SyncCommand } from './sync-commands.ts';
import type { SyncEvent } from './sync-events.ts';
import type { SyncFault } from './sync-faults.ts';

describe('a try that ends with a fault', () => {
  const interrupt = (now: number, fault: SyncFault = 'other'): SyncCommand => ({
    type: 'Interrupt',
    runId: 'one',
    claim: 'one-claim',
    reason: 'sealed',
    retryReason: 'sealed for now',
    cause: 'sealed cause',
    fault,
    now: at(now),
    step: 'embed',
    counts,
  });
  const interrupted = (until: number): SyncEvent => ({
    type: 'SyncInterrupted',
    runId: 'one',
    leaseUntil: at(until),
    reason: 'sealed for now',
    cause: 'sealed cause',
  });
  const away = (until: number): SyncEvent => ({ ...interrupted(until), because: 'storage' }) as SyncEvent;
  const faulty: SyncEvent = {
    type: 'SyncFailed',
    runId: 'one',
    wanted: 1,
    because: 'fault',
    reason: 'sealed',
    cause: 'sealed cause',
    failures: 0,
    step: 'embed',
    counts,
  };
  it('leaves the run to another attempt after a pause', () => given(first).when(interrupt(0.5)).emits(interrupted(1)));
  it('is followed by longer pauses each time', () => given(first, interrupted(1), interrupted(3)).when(interrupt(5)).emits(interrupted(7)));
  it('lets no worker take the run during the pause', () =>
    given(first, interrupted(5))
      .when(claim('two', 1, 4))
      .refuses('sync_claimed'));
  it('fails the run if it was the last attempt', () =>
    given(first, ...[1, 2, 3, 4, 5].map(interrupted))
      .when(interrupt(6))
      .emits(faulty));
  it('fails the run at once if the fault will certainly come again', () => given(first).when(interrupt(0.5, 'refused')).emits(faulty));
  it('fails the run when the process that reads files did not start for the third time', () =>
    given(first, interrupted(1), interrupted(3)).when(interrupt(5, 'reader')).emits(faulty));
  it('leaves the run to another try when that process did not start for the second time', () =>
    given(first, interrupted(1)).when(interrupt(3, 'reader')).emits(interrupted(4)));
  it('never fails the run while the object store is away, and is repeated every minute', () =>
    given(first, ...[1, 2, 3, 4, 5, 6, 7, 8].map(away))
      .when(interrupt(9, 'storage'))
      .emits(away(10)));
  it('does not count if the object store was away', () => given(first, away(1), away(2)).when(interrupt(3)).emits(interrupted(3.5)));
  it('does not delay a newer version', () =>
    given(first, interrupted(5))
      .when(claim('two', 2, 2))
      .emits({ type: 'SyncAbandoned', runId: 'one' }, started('two', 2, 2)));
  it('counts for its run only', () =>
    given(first, ...[1, 2, 3, 4, 5].map(interrupted), { type: 'SyncAbandoned', runId: 'one' }, first)
      .when(interrupt(0.5))
      .emits(interrupted(1)));
});
