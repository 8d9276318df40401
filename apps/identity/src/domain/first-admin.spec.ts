import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { firstAdmin } from './first-admin.ts';

const given = specify(firstAdmin);

describe('appointing the first Admin', () => {
  it('takes the first user', () => given().when({ type: 'Appoint', userId: 'ann' }).emits({ type: 'FirstAdminAppointed', userId: 'ann' }));
  it('never replaces that user', () =>
    given({ type: 'FirstAdminAppointed', userId: 'ann' }).when({ type: 'Appoint', userId: 'ben' }).emits());
});
