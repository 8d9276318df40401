import { describe, expect, it } from '@jest/globals';
import { type Refusal, refuse } from '@parlance/decider';
import { NotificationNames } from './notification-names.ts';

const shared = { id: 'n', kind: 'bot_shared', at: '', source: 'bots', sequence: '1.0', by: null, subjectId: 'guide' } as const;
const project = { ...shared, kind: 'project_shared', source: 'inference', subjectId: 'ferries' } as const;
/** The titles when only the service of the second notification answers. */
const titlesWhen = (refusal: Refusal) => {
  const post = (service: string) => (service === 'bots' ? Promise.reject(refusal) : Promise.resolve({ projects: { ferries: 'Ferries' } }));
  return new NotificationNames({ post } as never, {} as never).seenTitles([shared, project]);
};

describe('the titles of what was shared', () => {
  it.each([
    ['is unavailable', refuse('unavailable', 'service_unavailable', 'Away.')],
    ['is of an earlier release', refuse('missing', 'no_such_route', 'Route not found.')],
  ] as const)('of bots are unknown while the bots service %s', async (_, refusal) =>
    expect(await titlesWhen(refusal)).toMatchObject({ missing: new Set(['bots']), projects: { ferries: 'Ferries' } }),
  );
  it('are not unknown if the request was wrong', async () => {
    const wrong = refuse('invalid', 'invalid_request', 'No.');
    await expect(titlesWhen(wrong)).rejects.toBe(wrong);
  });
});
