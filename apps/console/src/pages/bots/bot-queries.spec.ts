import type { User } from '@parlance/client/types';

// The API client reads its address when it is loaded.
Object.assign(globalThis, { location: { origin: 'http://chat.example.org' }, BroadcastChannel: EventTarget });
const { etagOf, mayShare } = await import('./bot-queries.ts');

const user = (...groups: string[]) => ({ groups }) as User;

describe('who may share a bot', () => {
  it('is its owner', () => expect(mayShare(user(), { owned: true, shared_scope: 'private' })).toBe(true));
  it('is an Admin, unless it is private', () => {
    expect(mayShare(user('Admin'), { owned: false, shared_scope: 'partial' })).toBe(true);
    expect(mayShare(user('Admin'), { owned: false, shared_scope: 'private' })).toBe(false);
  });
  it('is nobody else', () => expect(mayShare(user('PublishAllowed'), { owned: false, shared_scope: 'all' })).toBe(false));
});

it('the ETag of a version is quoted', () => expect(etagOf({ version: 7 })).toBe('"7"'));
