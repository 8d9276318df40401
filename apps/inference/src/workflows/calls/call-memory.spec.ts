import { expect, it } from '@jest/globals';
import { BYTES_OF_A_USER, BYTES_OF_CALLS, CallMemory } from './call-memory.ts';

it('is limited for all calls and for those of one user, until they have ended', () => {
  const memory = new CallMemory();
  const busy = expect.objectContaining({ kind: 'unavailable', code: 'busy' });
  const end = memory.take('ann', BYTES_OF_A_USER);
  expect(() => memory.take('ann', 1)).toThrow(busy);
  const endOther = memory.take('ben', BYTES_OF_CALLS - BYTES_OF_A_USER);
  expect(() => memory.take('cat', 1)).toThrow(busy);
  endOther.release();
  memory.take('cat', 1);
  end.release();
  memory.take('ann', 1).add(BYTES_OF_CALLS);
  expect(() => memory.take('dan', 1)).toThrow(busy);
});
