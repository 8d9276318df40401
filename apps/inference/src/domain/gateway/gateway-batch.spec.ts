import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { gatewayBatch, type EndReason, type GatewayBatchEvent, type NewBatch } from './gateway-batch.ts';
import { ENDED_BATCH_MILLIS, FINALIZING_MILLIS, MOST_BATCH_ATTEMPTS } from './gateway-limits.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const soon = Instant.plus(noon, 60_000);
const given = specify(gatewayBatch);

const batch: NewBatch = {
  userId: 'ann',
  tokenId: 't',
  endpoint: 'chat/completions',
  inputFileId: 'f',
  at: noon,
  expiresAt: Instant.plus(noon, 86_400_000),
  sealed: 's1.x.y',
};
const created: GatewayBatchEvent = { type: 'GatewayBatchCreated', ...batch };
const claimed = (claim: string, leaseUntil = soon): GatewayBatchEvent => ({ type: 'GatewayBatchClaimed', claim, leaseUntil });
const validated: GatewayBatchEvent = { type: 'GatewayBatchValidated', lines: 3, at: noon };
const advance = { claim: 'a', leaseUntil: soon, through: 2, completed: 1, failed: 1 };
const advanced: GatewayBatchEvent = { type: 'GatewayBatchAdvanced', ...advance };
const finalizing = (because: EndReason): GatewayBatchEvent => ({ type: 'GatewayBatchFinalizing', because, at: noon });
const results = { outputFileId: 'o', errorFileId: 'e', completed: 2, failed: 1 };
const listedUntil = Instant.plus(noon, ENDED_BATCH_MILLIS);
const ended: GatewayBatchEvent = { type: 'GatewayBatchEnded', status: 'completed', errors: [], at: noon, listedUntil, ...results };

describe('a batch', () => {
  it('is created once', () => {
    given()
      .when({ type: 'Create', ...batch })
      .emits(created);
    given(created)
      .when({ type: 'Create', ...batch })
      .emits();
  });
  it('has one worker, until the lease of that worker has ended', () => {
    const claim = { type: 'Claim', claim: 'b', leaseUntil: soon } as const;
    given(created)
      .when({ ...claim, now: noon })
      .emits(claimed('b'));
    given(created, claimed('a'))
      .when({ ...claim, now: noon })
      .refuses('batch_taken_over');
    given(created, claimed('a'))
      .when({ ...claim, now: soon })
      .emits(claimed('b'));
    given(created, claimed('b'))
      .when({ ...claim, now: noon })
      .emits();
  });
  it('takes results of its worker only, and never fewer than before', () => {
    given(created, claimed('a'), validated)
      .when({ type: 'Advance', ...advance })
      .emits(advanced);
    given(created, claimed('b'), validated)
      .when({ type: 'Advance', ...advance })
      .refuses('batch_taken_over');
    given(created, claimed('a'), validated, advanced)
      .when({ type: 'Advance', ...advance, through: 1 })
      .refuses('batch_taken_over');
  });
  it('fails when workers crash again and again without progress', () => {
    const crashes = Array.from({ length: MOST_BATCH_ATTEMPTS }, (_, index) => claimed(`c${index}`, noon));
    const claim = { type: 'Claim', claim: 'x', leaseUntil: soon, now: noon } as const;
    given(created, ...crashes)
      .when(claim)
      .emits({
        type: 'GatewayBatchEnded',
        status: 'failed',
        errors: [{ code: 'internal_error', message: 'The server could not process this batch. Create it again.', line: null }],
        at: noon,
        listedUntil,
        outputFileId: null,
        errorFileId: null,
        completed: 0,
        failed: 0,
      });
    given(created, ...crashes.slice(1), claimed('a'), validated)
      .when({ ...claim, now: soon })
      .emits(claimed('x'));
  });
  it('sends no further request when workers crash again and again, and keeps its answers', () => {
    const crashes = Array.from({ length: MOST_BATCH_ATTEMPTS }, (_, index) => claimed(`c${index}`, noon));
    given(created, claimed('a'), validated, advanced, ...crashes)
      .when({ type: 'Claim', claim: 'x', leaseUntil: soon, now: noon })
      .emits(finalizing('internal_error'), claimed('x'));
  });
  it('keeps its answers for weeks while they cannot be put into files', () => {
    const attempts = Array.from({ length: 10 * MOST_BATCH_ATTEMPTS }, (_, index) => claimed(`c${index}`, noon));
    const working = given(created, claimed('a'), validated, advanced, finalizing('done'), ...attempts);
    const end = Instant.plus(noon, FINALIZING_MILLIS);
    const claim = { type: 'Claim', claim: 'x', leaseUntil: end } as const;
    working.when({ ...claim, now: Instant.plus(end, -1) }).emits(claimed('x', end));
    working.when({ ...claim, now: end }).emits({
      ...ended,
      status: 'failed',
      at: end,
      listedUntil: Instant.plus(end, ENDED_BATCH_MILLIS),
      errors: [{ code: 'internal_error', message: 'The server could not process this batch. Create it again.', line: null }],
      outputFileId: null,
      errorFileId: null,
      completed: 1,
      failed: 1,
    });
  });
});

describe('the end of a batch', () => {
  const end = { type: 'End', claim: 'a', now: noon, ...results } as const;
  const working = [created, claimed('a'), validated, advanced];

  it('comes after it was finalized, once', () => {
    given(...working)
      .when(end)
      .refuses('batch_taken_over');
    given(...working, finalizing('done'))
      .when(end)
      .emits(ended);
    given(...working, finalizing('done'), ended)
      .when(end)
      .refuses('batch_taken_over');
  });
  it('has the status of its reason', () => {
    given(...working, finalizing('cancelled'))
      .when(end)
      .emits({ ...ended, status: 'cancelled' });
    given(...working, finalizing('expired'))
      .when(end)
      .emits({ ...ended, status: 'expired' });
    const message = 'The token of this batch may no longer call models. The remaining requests were not sent.';
    given(...working, finalizing('token_ended'))
      .when(end)
      .emits({ ...ended, status: 'failed', errors: [{ code: 'token_ended', message, line: null }] });
  });
  it('names the workers that may have left files, the last ones', () => {
    const claims = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const its = [created, claimed('a'), validated, finalizing('done'), ...claims.map((claim) => claimed(claim, noon))];
    expect(fold(gatewayBatch, its).lost).toEqual(claims.slice(9, -1));
  });
  it('is not changed by a cancellation', () => {
    const cancel = { type: 'Cancel', now: noon } as const;
    given(...working)
      .when(cancel)
      .emits({ type: 'GatewayBatchCancelRequested', at: noon });
    given(...working, { type: 'GatewayBatchCancelRequested', at: noon })
      .when(cancel)
      .emits();
    given(...working, finalizing('done'))
      .when(cancel)
      .refuses('batch_ended');
    given(...working, finalizing('done'), ended)
      .when(cancel)
      .refuses('batch_ended');
    given().when(cancel).refuses('batch_not_found');
  });
  it('is followed by its removal from lists', () => {
    given(...working, finalizing('done'), ended)
      .when({ type: 'Expire', now: soon })
      .emits();
    given(...working, finalizing('done'), ended)
      .when({ type: 'Expire', now: listedUntil })
      .emits({ type: 'GatewayBatchRemoved', because: 'expired' });
  });
  it('comes with the erasure of its user, whose worker cannot go on', () => {
    const removed = { type: 'GatewayBatchRemoved', because: 'user_erased' } as const;
    given(...working)
      .when({ type: 'Erase' })
      .emits(removed);
    given(...working, removed)
      .when({ type: 'Erase' })
      .emits();
    given(...working, removed)
      .when({ type: 'Advance', ...advance })
      .refuses('batch_taken_over');
  });
});
