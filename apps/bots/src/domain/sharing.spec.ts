import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addedBy,
  audiencesOf,
  audiencesWith,
  changeOf,
  mayConfigure,
  mayShare,
  maySee,
  type Person,
  PRIVATE,
  relationOf,
  type Sharing,
  without,
} from './sharing.ts';

const userIds = ['ann', 'ben', 'cat', 'all', 'shared'];
// Some names are also IDs of users, or names of other audiences.
const groupIds = ['ann', 'team', 'readers', 'all', 'shared', 'Admin'];

const people: fc.Arbitrary<Person> = fc.record({ userId: fc.constantFrom(...userIds), groups: fc.subarray(groupIds) });
const sharings: fc.Arbitrary<Sharing> = fc
  .record({ scope: fc.constantFrom('partial' as const, 'all' as const), userIds: fc.subarray(userIds), groupIds: fc.subarray(groupIds) })
  .chain((lists) =>
    fc
      .record({ editorUserIds: fc.subarray([...lists.userIds]), editorGroupIds: fc.subarray([...lists.groupIds]) })
      .map((editors) => ({ ...lists, ...editors })),
  );
const anySharing = fc.oneof(fc.constant(PRIVATE), sharings);
const RUNS = { numRuns: 5_000 };

const relation = (person: Partial<Person>, sharing: Partial<Sharing>) =>
  relationOf({ userId: 'ben', groups: [], ...person }, { ownerUserId: 'ann', sharing: { ...PRIVATE, ...sharing } });

describe('the relation of a user to a bot', () => {
  it.each([
    ['the owner of a private bot', { userId: 'ann' }, {}, 'owner'],
    ['an owner who is an administrator', { userId: 'ann', groups: ['Admin'] }, { scope: 'all' }, 'owner'],
    ['another user, to a private bot', {}, {}, 'none'],
    ['an administrator, to a private bot', { groups: ['Admin'] }, {}, 'none'],
    ['an administrator, to a partial bot', { groups: ['Admin'] }, { scope: 'partial' }, 'admin'],
    ['an administrator, to a public bot', { groups: ['Admin'] }, { scope: 'all' }, 'admin'],
    ['a listed user', {}, { scope: 'partial', userIds: ['ben'] }, 'viewer'],
    ['a member of a listed group', { groups: ['team'] }, { scope: 'partial', groupIds: ['team'] }, 'viewer'],
    ['a user whose id is the name of a listed group', {}, { scope: 'partial', groupIds: ['ben'] }, 'none'],
    ['a member of a group whose name is the id of a listed user', { groups: ['cat'] }, { scope: 'partial', userIds: ['cat'] }, 'none'],
    ['a user who is not listed', {}, { scope: 'partial', userIds: ['cat'], groupIds: ['team'] }, 'none'],
    ['any user, to a public bot', {}, { scope: 'all' }, 'viewer'],
    ['an editor', {}, { scope: 'partial', userIds: ['ben'], editorUserIds: ['ben'] }, 'editor'],
    ['a member of a group of editors', { groups: ['team'] }, { scope: 'partial', groupIds: ['team'], editorGroupIds: ['team'] }, 'editor'],
    ['an editor of a public bot', {}, { scope: 'all', userIds: ['ben'], editorUserIds: ['ben'] }, 'editor'],
  ] as const)('%s', (_, person, sharing, expected) => expect(relation(person, sharing)).toBe(expected));
  it.each([
    ['owner', true, true, true],
    ['admin', true, true, true],
    ['editor', true, true, false],
    ['viewer', true, false, false],
    ['none', false, false, false],
  ] as const)('%s: may see %s, may configure %s, may share %s', (kind, sees, configures, shares) =>
    expect([maySee(kind), mayConfigure(kind), mayShare(kind)]).toEqual([sees, configures, shares]),
  );
});

describe('audiences', () => {
  it('a user sees exactly their own bots and the bots of their audiences', () =>
    fc.assert(
      fc.property(people, fc.constantFrom(...userIds), anySharing, (person, ownerUserId, sharing) => {
        const own = new Set(audiencesWith(person));
        const isListed = audiencesOf(sharing).some((audience) => own.has(audience));
        expect(maySee(relationOf(person, { ownerUserId, sharing }))).toBe(ownerUserId === person.userId || isListed);
      }),
      RUNS,
    ));
  it('a bot is listed once under each audience', () =>
    fc.assert(
      fc.property(anySharing, (sharing) => expect(new Set(audiencesOf(sharing)).size).toBe(audiencesOf(sharing).length)),
      RUNS,
    ));
});

describe('a change of sharing', () => {
  const sees = (person: Person, sharing: Sharing) => maySee(relationOf(person, { ownerUserId: 'the owner', sharing }));
  const everybody = [
    ...userIds.map((userId) => ({ userId, groups: [] })),
    ...groupIds.map((group) => ({ userId: 'x', groups: [group] })),
  ].filter(({ groups }) => !groups.includes('Admin'));
  it('is narrowing whenever a user loses access', () =>
    fc.assert(
      fc.property(anySharing, anySharing, (before, after) => {
        if (everybody.some((person) => sees(person, before) && !sees(person, after))) expect(changeOf(before, after)).toBe('narrowed');
      }),
      RUNS,
    ));
  it('is never classified as none if a user gains or loses access', () =>
    fc.assert(
      fc.property(anySharing, anySharing, (before, after) => {
        if (everybody.some((person) => sees(person, before) !== sees(person, after))) expect(changeOf(before, after)).not.toBe('none');
      }),
      RUNS,
    ));
  it('is classified as none for the same sharing', () =>
    fc.assert(
      fc.property(anySharing, (sharing) => expect(changeOf(sharing, sharing)).toBe('none')),
      RUNS,
    ));
});

describe('the users and groups that a change adds', () => {
  const toBen: Sharing = { ...PRIVATE, scope: 'partial', userIds: ['ben'], groupIds: ['team'] };
  const toBoth: Sharing = { ...toBen, userIds: ['ben', 'cat'], groupIds: ['team', 'readers'] };
  it.each([
    ['all listed ones of a private bot', PRIVATE, toBen, ['ben'], ['team']],
    ['only new ones', toBen, toBoth, ['cat'], ['readers']],
    ['new ones, even if others lose access', toBen, { ...toBoth, userIds: ['cat'] }, ['cat'], ['readers']],
    ['none if the bot is shared with all users and no one is listed', PRIVATE, { ...PRIVATE, scope: 'all' }, [], []],
    ['none if all users could see the bot', { ...PRIVATE, scope: 'all' }, toBoth, [], []],
    ['none if others lose access', toBoth, toBen, [], []],
  ] as const)('are %s', (_, before, after, added, addedGroups) =>
    expect(addedBy(before, after)).toEqual({ userIds: added, groupIds: addedGroups }),
  );
});

describe('the sharing without an erased user or a deleted group', () => {
  it('lists neither, and everyone else keeps access', () =>
    fc.assert(
      fc.property(anySharing, fc.constantFrom(...userIds), (sharing, userId) => {
        const left = without(sharing, { userId });
        expect([...left.userIds, ...left.editorUserIds]).not.toContain(userId);
        expect(left).toEqual({
          ...sharing,
          userIds: sharing.userIds.filter((id) => id !== userId),
          editorUserIds: sharing.editorUserIds.filter((id) => id !== userId),
        });
      }),
      RUNS,
    ));
  it('removes a group only from the lists of groups', () =>
    expect(
      without({ ...PRIVATE, scope: 'all', userIds: ['team'], groupIds: ['team', 'b'], editorGroupIds: ['team'] }, { group: 'team' }),
    ).toEqual({
      ...PRIVATE,
      scope: 'all',
      userIds: ['team'],
      groupIds: ['b'],
    }));
});

it('does not count a different list order as a change', () => {
  const before: Sharing = { ...PRIVATE, scope: 'partial', userIds: ['ann', 'ben'], editorUserIds: ['ann', 'ben'] };
  expect(changeOf(before, { ...before, userIds: ['ben', 'ann'], editorUserIds: ['ben', 'ann'] })).toBe('none');
});
