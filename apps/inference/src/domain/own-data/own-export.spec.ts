import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { MOST_ATTEMPTS, OWN_EXPORT_MILLIS, ownExport, type OwnExportCommand, type OwnExportEvent } from './own-export.ts';

const given = specify(ownExport);

const noon = Instant.parse('2026-11-23T12:00:00Z');
const soon = Instant.plus(noon, 60_000);
const nextDay = Instant.plus(noon, OWN_EXPORT_MILLIS);

const request = (exportId = 'e', by: 'user' | 'admin' = 'user') => ({ type: 'Request', exportId, by, now: noon }) as const;
const requested = (exportId = 'e', by: 'user' | 'admin' = 'user'): OwnExportEvent => ({
  type: 'OwnExportRequested',
  exportId,
  by,
  at: noon,
});
const claim = (name = 'c', now = noon) =>
  ({ type: 'Claim', exportId: 'e', claim: name, leaseUntil: Instant.plus(now, 60_000), now }) as const;
const claimed = (name = 'c', leaseUntil = soon): OwnExportEvent => ({ type: 'OwnExportClaimed', exportId: 'e', claim: name, leaseUntil });
const complete = (name = 'c') => ({ type: 'Complete', exportId: 'e', claim: name, conversations: 3, bytes: 9, now: noon }) as const;
const completed = (exportId = 'e', by: 'user' | 'admin' = 'user'): OwnExportEvent => {
  return { type: 'OwnExportCompleted', exportId, claim: 'c', by, conversations: 3, bytes: 9, at: noon, expiresAt: nextDay };
};
const removed = (because: 'expired' | 'replaced' | 'removed' | 'user_erased', exportId = 'e') =>
  ({ type: 'OwnExportRemoved', exportId, because }) as const;

describe('requesting an export', () => {
  it('is recorded', () => given().when(request('e', 'admin')).emits(requested('e', 'admin')));
  it('is idempotent', () => {
    given(requested()).when(request()).emits();
    given(requested(), claimed(), completed()).when(request()).emits();
  });
  it('is refused while another one runs', () => given(requested()).when(request('f')).refuses('export_running'));
  it('replaces the last one', () =>
    given(requested(), claimed(), completed()).when(request('f')).emits(removed('replaced'), requested('f')));
  it('is refused once the user is erased', () => given({ type: 'OwnExportsErased', exports: 0 }).when(request()).refuses('user_not_found'));
});

describe('the work on an export', () => {
  it('is for one worker at a time', () => {
    given(requested()).when(claim()).emits(claimed());
    given(requested(), claimed()).when(claim('d')).refuses('export_taken_over');
    given(requested(), claimed())
      .when(claim('d', soon))
      .emits(claimed('d', Instant.plus(soon, 60_000)));
  });
  it('is taken from a worker whose clock was ahead', () => given(requested(), claimed('c', nextDay)).when(claim('d')).emits(claimed('d')));
  it('renews only the lease of its worker', () => {
    const advance = { type: 'Advance', exportId: 'e', claim: 'c', leaseUntil: Instant.plus(soon, 1), conversations: 1, total: 3 } as const;
    given(requested(), claimed())
      .when(advance)
      .emits({ ...advance, type: 'OwnExportAdvanced' });
    given(requested(), claimed('d')).when(advance).refuses('export_taken_over');
    given(requested(), claimed(), { ...advance, type: 'OwnExportAdvanced' })
      .when(claim('d', soon))
      .refuses('export_taken_over');
  });
  it('is completed only by its worker, once', () => {
    given(requested(), claimed()).when(complete()).emits(completed());
    given(requested('e', 'admin'), claimed()).when(complete()).emits(completed('e', 'admin'));
    given(requested(), claimed('d')).when(complete()).refuses('export_taken_over');
    given(requested(), claimed(), completed()).when(complete()).emits();
    given(requested(), claimed(), { type: 'OwnExportsErased', exports: 1 }).when(complete()).refuses('user_not_found');
  });
  it('fails after too many workers have tried', () => {
    const attempts = Array.from({ length: MOST_ATTEMPTS }, () => claimed('d', noon));
    given(requested(), ...attempts)
      .when(claim())
      .emits({ type: 'OwnExportFailed', exportId: 'e', at: noon, expiresAt: nextDay });
    given(requested(), ...attempts.slice(1))
      .when(claim())
      .emits(claimed());
  });
  it('does nothing for an export that has ended', () => given(requested(), claimed(), completed()).when(claim('d')).emits());
});

describe('the end of an export', () => {
  it('comes a day after the export was ready, and not before', () => {
    const done = given(requested(), claimed(), completed());
    done.when({ type: 'Expire', exportId: 'e', now: Instant.plus(nextDay, -1) }).emits();
    done.when({ type: 'Expire', exportId: 'e', now: nextDay }).emits(removed('expired'));
    given(requested(), claimed(), completed(), removed('expired')).when({ type: 'Expire', exportId: 'e', now: nextDay }).emits();
  });
  it('does not affect a later one', () =>
    given(requested('f'), completed('f')).when({ type: 'Expire', exportId: 'e', now: nextDay }).emits());
  it('comes with its removal by the user, even while it is written, but not with the removal of another one', () => {
    const remove = { type: 'Remove', exportId: 'e' } as const;
    given(requested(), claimed(), completed()).when(remove).emits(removed('removed'));
    given(requested(), claimed()).when(remove).emits(removed('removed'));
    given(requested(), claimed(), removed('removed')).when(complete()).refuses('export_taken_over');
    given(requested(), claimed(), removed('removed')).when(request('f')).emits(requested('f'));
    given(requested('f'), completed('f')).when(remove).emits();
    given(requested(), claimed(), completed(), removed('removed')).when(remove).emits();
  });
  it('comes with the erasure of the user, once', () => {
    given(requested(), claimed(), completed(), requested('f'))
      .when({ type: 'Erase' })
      .emits(removed('user_erased', 'f'), removed('user_erased'), { type: 'OwnExportsErased', exports: 2 });
    given({ type: 'OwnExportsErased', exports: 2 }).when({ type: 'Erase' }).emits();
  });
});

describe('exports, in any order of commands,', () => {
  const exportId = fc.constantFrom('e', 'f', 'g');
  const claims = fc.constantFrom('c', 'd');
  const now = fc.integer({ min: 0, max: 30 }).map((hours) => Instant.plus(noon, hours * 3_600_000));
  const commands = fc.oneof(
    fc.record({ type: fc.constant('Request' as const), exportId, by: fc.constant('user' as const), now }),
    fc.record({ type: fc.constant('Claim' as const), exportId, claim: claims, leaseUntil: now, now }),
    fc.record({
      type: fc.constant('Complete' as const),
      exportId,
      claim: claims,
      conversations: fc.constant(1),
      bytes: fc.constant(1),
      now,
    }),
    fc.record({ type: fc.constant('Expire' as const), exportId, now }),
    fc.record({ type: fc.constant('Remove' as const), exportId }),
    fc.record({ type: fc.constant('Erase' as const) }),
  );

  it('run one at a time, keep one file at most, and none after the erasure', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 40 }), (all: readonly OwnExportCommand[]) => {
        const log: OwnExportEvent[] = [];
        for (const command of all) {
          const decided = ownExport.decide(command, fold(ownExport, log));
          if (!(decided instanceof Refusal)) log.push(...decided);
        }
        const count = (type: OwnExportEvent['type']) => log.filter((each) => each.type === type).length;
        const { running, ended, isErased } = fold(ownExport, log);
        const live = [running, ended].filter((each) => each !== null).length;
        expect(count('OwnExportRequested') - count('OwnExportRemoved')).toBe(live);
        if (isErased) expect(live).toBe(0);
      }),
    );
  });
});
