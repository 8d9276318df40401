import { describe, expect, it } from '@jest/globals';
import { type Refusal, refuse } from '@parlance/decider';
import { NotificationNames } from './notification-names.ts';

const shared = { id: 'n', kind: 'bot_shared', at: '', source: 'bots', sequence: '1.0', by: null, subjectId: 'guide' } as const;
const titlesWhen = (refusal: Refusal) =>
  new NotificationNames({ post: () => Promise.reject(refusal) } as never, {} as never).seenTitles([shared]);

describe('the titles of shared bots and prompts', () => {
  it.each([
    ['is unavailable', refuse('unavailable', 'service_unavailable', 'Away.')],
    ['is of an earlier release', refuse('missing', 'no_such_route', 'Route not found.')],
  ] as const)('are unknown while the bots service %s', async (_, refusal) => expect(await titlesWhen(refusal)).toBeNull());
  it('are not unknown if the request was wrong', async () => {
    const wrong = refuse('invalid', 'invalid_request', 'No.');
    await expect(titlesWhen(wrong)).rejects.toBe(wrong);
  });
});
