import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { redrive } from './redrive.ts';

const given = specify(redrive);
const request = { type: 'Request', service: 'bots', ids: ['1', '2'] } as const;
const requested = { type: 'DeadLettersRedriveRequested', service: 'bots', ids: ['1', '2'] } as const;

describe('a request to deliver dead letters again', () => {
  it('is recorded with the service and the dead letters', () => given().when(request).emits(requested));
  it('is recorded without IDs for all dead letters of a service', () =>
    given()
      .when({ ...request, ids: null })
      .emits({ ...requested, ids: null }));
  it('is recorded once when repeated', () => given(requested).when(request).emits());
});
