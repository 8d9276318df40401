import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { MAX_CHAIN_BYTES, MAX_CHAIN_RESPONSES, MAX_RESPONSE_BYTES } from './response-limits.ts';
import {
  chainAfter,
  NO_CHAIN,
  type StoredResponse,
  storedResponse,
  type StoredResponseCommand,
  type StoredResponseEvent,
} from './stored-response.ts';

const given = specify(storedResponse);
const noon = Instant.ofSeconds(1_800_000_000);
const fields = { userId: 'ann', content: 'sealed', bytes: 10, chain: NO_CHAIN };
const store = (more: object = {}): StoredResponseCommand => ({ type: 'Store', ...fields, now: noon, ...more });
const stored: StoredResponseEvent = { type: 'ResponseStored', ...fields, at: noon };
const deleted: StoredResponseEvent = { type: 'ResponseDeleted', userId: 'ann', because: 'user' };
const ids = (length: number) => Array.from({ length }, (_, index) => `${index}`);

describe('storing a response', () => {
  it('records its sealed content and the responses that it continues', () => given().when(store()).emits(stored));
  it('does nothing the second time', () => {
    given(stored).when(store()).emits();
    given(stored, deleted).when(store()).emits();
  });
  it('is refused for a long one', () =>
    given()
      .when(store({ bytes: MAX_RESPONSE_BYTES + 1 }))
      .refuses('response_too_large'));
  it.each([
    { ids: ids(MAX_CHAIN_RESPONSES + 1), bytes: 1 },
    { ids: ids(1), bytes: MAX_CHAIN_BYTES + 1 },
  ])('is refused for one that continues too much', (chain) => given().when(store({ chain })).refuses('response_chain_too_long'));
});

describe('deleting a response', () => {
  const remove = (userId: string, holds: readonly string[] = []) => ({ type: 'Delete', userId, holds }) as const;
  it('is recorded', () => given(stored).when(remove('ann')).emits(deleted));
  it('is refused for one that is not there, that is deleted, or that belongs to another user', () => {
    given().when(remove('ann')).refuses('response_not_found');
    given(stored, deleted).when(remove('ann')).refuses('response_not_found');
    given(stored).when(remove('ben')).refuses('response_not_found');
  });
  it('is refused while a hold keeps it', () =>
    given(stored)
      .when(remove('ann', ['h']))
      .refuses('on_hold'));
});

describe('the end of a response', () => {
  it('comes with a retention rule, unless a hold keeps it', () => {
    const expire = { type: 'Expire', ruleId: 'r', holds: [] } as const;
    given(stored).when(expire).emits({ type: 'ResponseDeleted', userId: 'ann', because: 'retention', ruleId: 'r' });
    given(stored)
      .when({ ...expire, holds: ['h'] })
      .emits();
    given(stored, deleted).when(expire).emits();
  });
  it('comes with the erasure of its owner, once', () => {
    given(stored).when({ type: 'Erase' }).emits({ type: 'ResponseDeleted', userId: 'ann', because: 'user_erased' });
    given(stored, deleted).when({ type: 'Erase' }).emits();
    given().when({ type: 'Erase' }).emits();
  });
});

describe('a chain of responses', () => {
  const stateOf = (chain: object = NO_CHAIN, bytes = 10): StoredResponse =>
    fold(storedResponse, [{ ...stored, bytes, chain } as StoredResponseEvent]);

  it('has all earlier responses, the oldest first', () =>
    expect(chainAfter('c', stateOf({ ids: ['a', 'b'], bytes: 7 }), 'ann')).toEqual({ ids: ['a', 'b', 'c'], bytes: 17 }));
  it.each([
    [fold(storedResponse, []), 'ann'],
    [fold(storedResponse, [stored, deleted]), 'ann'],
    [stateOf(), 'ben'],
  ])('does not continue a response that the user does not have', (previous, userId) =>
    expect(() => chainAfter('a', previous, userId)).toThrow(expect.objectContaining({ code: 'previous_response_not_found' })),
  );
  it('can be stored whenever it can be continued, and never passes its limits', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_RESPONSE_BYTES }), { minLength: 1, maxLength: 150 }), (sizes) => {
        let chain: { ids: readonly string[]; bytes: number } = NO_CHAIN;
        for (const [index, bytes] of sizes.entries()) {
          const decided = storedResponse.decide(store({ bytes, chain }) as StoredResponseCommand, storedResponse.initialState);
          expect(decided).not.toBeInstanceOf(Refusal);
          expect(chain.ids.length).toBeLessThanOrEqual(MAX_CHAIN_RESPONSES);
          expect(chain.bytes).toBeLessThanOrEqual(MAX_CHAIN_BYTES);
          try {
            chain = chainAfter(`${index}`, fold(storedResponse, decided as readonly StoredResponseEvent[]), 'ann');
          } catch (error) {
            expect((error as Refusal).code).toBe('response_chain_too_long');
            return;
          }
        }
      }),
    );
  });
});
