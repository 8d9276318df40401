import type { User } from '@parlance/client/types';

// The API client reads its address when it is loaded.
Object.assign(globalThis, { location: { origin: 'http://chat.example.org' }, BroadcastChannel: EventTarget });
const { etagOf, mayShare } = await import('./bot-queries.ts');

const user = (...groups: string[]) => ({ groups }) as User;

describe('the right to share a bot', () => {
  it('belongs to its owner', () => expect(mayShare(user(), { owned: true, shared_scope: 'private' })).toBe(true));
  it('belongs to an Admin, unless the bot is private', () => {
    expect(mayShare(user('Admin'), { owned: false, shared_scope: 'partial' })).toBe(true);
    expect(mayShare(user('Admin'), { owned: false, shared_scope: 'private' })).toBe(false);
  });
  it('belongs to no other user', () => expect(mayShare(user('PublishAllowed'), { owned: false, shared_scope: 'all' })).toBe(false));
});

it('the ETag of a version is quoted', () => expect(etagOf({ version: 7 })).toBe('"7"'));
