import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { notificationReads } from './notification-reads.ts';

const given = specify(notificationReads);
const read = (upTo: Record<string, string>) => ({ type: 'NotificationsRead', upTo }) as const;
const mark = (upTo: Record<string, string>) => ({ type: 'MarkRead', upTo }) as const;
const erased = { type: 'NotificationReadsErased' } as const;

describe('marking notifications as read', () => {
  it('records the position in the log of each service', () =>
    given()
      .when(mark({ bots: '12.0', inference: '9.1' }))
      .emits(read({ bots: '12.0', inference: '9.1' })));
  it('records only positions that are later', () =>
    given(read({ bots: '12.0', inference: '9.1' }))
      .when(mark({ bots: '11.5', inference: '10.0' }))
      .emits(read({ inference: '10.0' })));
  it('does nothing the second time', () =>
    given(read({ bots: '12.0' }))
      .when(mark({ bots: '12.0' }))
      .emits());
  it('compares positions as numbers', () =>
    given(read({ bots: '9.0' }))
      .when(mark({ bots: '10.0' }))
      .emits(read({ bots: '10.0' })));
  it('does nothing for services without notifications', () =>
    given()
      .when(mark({ bots: '0' }))
      .emits());
  it('is refused for an erased user', () =>
    given(read({ bots: '12.0' }), erased)
      .when(mark({ bots: '13.0' }))
      .refuses('user_not_found'));
});

describe('the erasure of the user', () => {
  it('is recorded', () =>
    given(read({ bots: '12.0' }))
      .when({ type: 'Erase' })
      .emits(erased));
  it('does nothing the second time', () => given(erased).when({ type: 'Erase' }).emits());
});
