import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { administrators, type AdministratorsEvent } from './administrators.ts';

const given = specify(administrators);
const taken = (userId: string, version = 1): AdministratorsEvent => ({ type: 'AdminSeatTaken', userId, version });
const givenUp = (userId: string, version = 1): AdministratorsEvent => ({ type: 'AdminSeatGivenUp', userId, version });

describe('the seat of an Admin', () => {
  it('is taken', () => given().when({ type: 'TakeSeat', userId: 'ann', version: 1 }).emits(taken('ann')));
  it('is taken once', () => given(taken('ann')).when({ type: 'TakeSeat', userId: 'ann', version: 2 }).emits());
  it('is given up while there is another', () =>
    given(taken('ann'), taken('ben')).when({ type: 'GiveUpSeat', userId: 'ann', version: 1 }).emits(givenUp('ann')));
  it('is kept by the last', () => given(taken('ann')).when({ type: 'GiveUpSeat', userId: 'ann', version: 1 }).refuses('last_admin'));
  it('is kept by the last Admin even without a known seat', () =>
    given().when({ type: 'GiveUpSeat', userId: 'ann', version: 1 }).refuses('last_admin'));
  it('can be given up before it is taken, so that a late request takes none', () =>
    given(taken('ben')).when({ type: 'GiveUpSeat', userId: 'ann', version: 3 }).emits(givenUp('ann', 3)));
  it('is not taken for a version that was given up meanwhile', () =>
    given(taken('ben'), givenUp('ann', 3)).when({ type: 'TakeSeat', userId: 'ann', version: 3 }).emits());
  it('is taken again for a later version', () =>
    given(taken('ben'), givenUp('ann', 3)).when({ type: 'TakeSeat', userId: 'ann', version: 5 }).emits(taken('ann', 5)));
  it('is given up once', () => given(taken('ben'), givenUp('ann', 3)).when({ type: 'GiveUpSeat', userId: 'ann', version: 3 }).emits());
  it('is not given up by a caller who has seen an older version', () =>
    given(taken('ben'), taken('ann', 5)).when({ type: 'GiveUpSeat', userId: 'ann', version: 4 }).emits());
});
