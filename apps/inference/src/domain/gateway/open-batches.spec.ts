import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { MAX_OPEN_BATCHES } from './gateway-limits.ts';
import { openBatches, type OpenBatchesEvent } from './open-batches.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const given = specify(openBatches);
const opened = (batchId: string): OpenBatchesEvent => ({ type: 'GatewayBatchOpened', batchId, at: noon });
const open = (batchId: string) => ({ type: 'Open', batchId, now: noon }) as const;
const full = Array.from({ length: MAX_OPEN_BATCHES }, (_, index) => opened(`b${index}`));

describe('the open batches of a user', () => {
  it('have a slot each, which a repeat does not take again', () => {
    given().when(open('a')).emits(opened('a'));
    given(opened('a')).when(open('a')).emits();
    given(...full)
      .when(open('b0'))
      .emits();
  });
  it('are limited, until one of them is closed', () => {
    given(...full)
      .when(open('more'))
      .refuses('too_many_batches');
    given(...full, { type: 'GatewayBatchesClosed', batchIds: ['b3'] })
      .when(open('more'))
      .emits(opened('more'));
  });
  it('are closed once', () => {
    const close = { type: 'Close', batchIds: ['a', 'b'] } as const;
    given(opened('a'))
      .when(close)
      .emits({ type: 'GatewayBatchesClosed', batchIds: ['a'] });
    given().when(close).emits();
  });
});
