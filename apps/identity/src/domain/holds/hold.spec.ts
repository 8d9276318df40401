import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { hold, type HoldCommand, type HoldEvent } from './hold.ts';

const given = specify(hold);
const subject = { kind: 'user', id: 'ann' } as const;
const request: HoldCommand = { type: 'Request', subject, reason: 's1.reason' };
const requested: HoldEvent = { type: 'HoldRequested', subject, reason: 's1.reason' };
const placed: HoldEvent = { type: 'HoldPlaced', subject };
const withdrawn: HoldEvent = { type: 'HoldWithdrawn' };
const ended: HoldEvent = { type: 'HoldEnded', subject };
const settled: HoldEvent = { type: 'HoldSettled' };

describe('a hold', () => {
  it('is requested with its reason', () => given().when(request).emits(requested));
  it('is requested once', () => given(requested).when(request).emits());
  it('is placed', () => given(requested).when({ type: 'Place' }).emits(placed));
  it('is placed once', () => given(requested, placed).when({ type: 'Place' }).emits());
  it('accepts a repeated request while it is placed', () => given(requested, placed).when(request).emits());
  it('is withdrawn if it could not be placed', () => given(requested).when({ type: 'Withdraw' }).emits(withdrawn));
  it('is not withdrawn once it is placed', () => given(requested, placed).when({ type: 'Withdraw' }).emits());
  it('is not placed after it was withdrawn', () => given(requested, withdrawn).when({ type: 'Place' }).refuses('hold_is_over'));
  it('ends', () => given(requested, placed).when({ type: 'End' }).emits(ended));
  it('ends once', () => given(requested, placed, ended).when({ type: 'End' }).emits());
  it('ends once, even after it is settled', () => given(requested, placed, ended, settled).when({ type: 'End' }).emits());
  it('does not end before it is placed', () => given(requested).when({ type: 'End' }).refuses('hold_not_found'));
  it('does not end if it was never requested', () => given().when({ type: 'End' }).refuses('hold_not_found'));
  it('is settled after its end', () => given(requested, placed, ended).when({ type: 'Settle' }).emits(settled));
  it('is settled after it was withdrawn', () => given(requested, withdrawn).when({ type: 'Settle' }).emits(settled));
  it('is not settled while it is placed', () => given(requested, placed).when({ type: 'Settle' }).emits());
  it('is not requested again after its end', () => given(requested, placed, ended, settled).when(request).refuses('hold_is_over'));
});
