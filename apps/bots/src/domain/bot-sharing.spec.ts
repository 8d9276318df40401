import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { bot, type BotCommand, type BotEvent } from './bot.ts';
import { DEFAULT_SETTINGS } from './configuration.ts';
import { type Person, PRIVATE, type Sharing, type SharingRequest } from './sharing.ts';

const given = specify(bot);
const ann: Person = { userId: 'ann', groups: [] };
const ben: Person = { userId: 'ben', groups: [] };
const admin: Person = { userId: 'root', groups: ['Admin'] };
const stranger: Person = { userId: 'eve', groups: [] };

const created: BotEvent = {
  type: 'BotCreated',
  ownerUserId: 'ann',
  configuration: { title: { clear: 'Guide' }, description: null, instruction: null, quickStarters: null, settings: DEFAULT_SETTINGS },
};
const partial: Sharing = { ...PRIVATE, scope: 'partial' };
const toBen: Sharing = { ...partial, userIds: ['ben'] };
const toBenEditing: Sharing = { ...toBen, editorUserIds: ['ben'] };
const toTeam: Sharing = { ...partial, groupIds: ['team'] };
const toAll: Sharing = { ...PRIVATE, scope: 'all' };
const pinned: BotEvent = { type: 'BotPinned', by: 'root', order: 1 };

const sharedAs = (after: Sharing): [BotEvent, BotEvent] => [created, { type: 'BotWidened', by: 'ann', before: PRIVATE, after }];
const share = (sharing: SharingRequest, by = ann): BotCommand => ({ type: 'Share', by, sharing });
const widened = (before: Sharing, after: Sharing, by = 'ann'): BotEvent => ({ type: 'BotWidened', by, before, after });
const narrowed = (before: Sharing, after: Sharing, by = 'ann'): BotEvent => ({
  type: 'BotNarrowed',
  by,
  because: 'requested',
  before,
  after,
});
const editorsChanged = (before: Sharing, after: Sharing): BotEvent => ({ type: 'BotEditorsChanged', by: 'ann', before, after });

describe('sharing a bot', () => {
  it('widens a private bot to users and groups', () => {
    const after: Sharing = { ...toBen, groupIds: ['team'] };
    given(created)
      .when(share({ scope: 'partial', userIds: ['ben'], groupIds: ['team'] }))
      .emits(widened(PRIVATE, after));
  });
  it('widens a bot to all users, and keeps its lists', () =>
    given(...sharedAs(toBenEditing))
      .when(share({ scope: 'all' }))
      .emits(widened(toBenEditing, { ...toBenEditing, scope: 'all' })));
  it('widens a partial bot by another user', () =>
    given(...sharedAs(toBen))
      .when(share({ scope: 'partial', userIds: ['ben', 'cat'] }))
      .emits(widened(toBen, { ...toBen, userIds: ['ben', 'cat'] })));
  it('narrows if a user loses access and another gains it', () =>
    given(...sharedAs(toBen))
      .when(share({ scope: 'partial', userIds: ['cat'] }))
      .emits(narrowed(toBen, { ...toBen, userIds: ['cat'] })));
  it('narrows if a group loses access', () =>
    given(...sharedAs(toTeam))
      .when(share({ scope: 'partial', groupIds: [] }))
      .emits(narrowed(toTeam, partial)));
  it('narrows from all users to listed users', () =>
    given(...sharedAs(toAll))
      .when(share({ scope: 'partial', userIds: ['ben'] }))
      .emits(narrowed(toAll, toBen)));
  it('narrows to private, which empties the lists', () =>
    given(...sharedAs(toBenEditing))
      .when(share({ scope: 'private' }))
      .emits(narrowed(toBenEditing, PRIVATE)));
  it('keeps lists that are absent from the request', () =>
    given(...sharedAs(toBen))
      .when(share({ scope: 'partial', groupIds: ['team'] }))
      .emits(widened(toBen, { ...toBen, groupIds: ['team'] })));
  it('removes an editor who is no longer listed', () =>
    given(...sharedAs(toBenEditing))
      .when(share({ scope: 'partial', userIds: ['cat'] }))
      .emits(narrowed(toBenEditing, { ...partial, userIds: ['cat'] })));
  it('removes a group of editors that is no longer listed', () => {
    const before: Sharing = { ...toTeam, editorGroupIds: ['team'] };
    given(...sharedAs(before))
      .when(share({ scope: 'partial', groupIds: ['readers'] }))
      .emits(narrowed(before, { ...partial, groupIds: ['readers'] }));
  });
  it('changes the lists of a bot that is shared with all users without widening or narrowing it', () =>
    given(...sharedAs(toAll))
      .when(share({ scope: 'all', userIds: ['ben'], editorUserIds: ['ben'] }))
      .emits(editorsChanged(toAll, { ...toBenEditing, scope: 'all' })));
  it('changes only the editors', () =>
    given(...sharedAs(toBen))
      .when(share({ scope: 'partial', editorUserIds: ['ben'] }))
      .emits(editorsChanged(toBen, toBenEditing)));
  it('changes only the groups of editors', () =>
    given(...sharedAs(toTeam))
      .when(share({ scope: 'partial', editorGroupIds: ['team'] }))
      .emits(editorsChanged(toTeam, { ...toTeam, editorGroupIds: ['team'] })));
  it.each([PRIVATE, toBenEditing, toTeam, toAll])('does nothing if nothing changes: $scope', (sharing) =>
    given(...sharedAs(sharing))
      .when(share(sharing))
      .emits(),
  );
  it('refuses an editor who is not a listed user', () =>
    given(created)
      .when(share({ scope: 'partial', userIds: ['cat'], editorUserIds: ['ben'] }))
      .refuses('editor_not_listed'));
  it('refuses a group of editors that is not listed', () =>
    given(created)
      .when(share({ scope: 'all', groupIds: [], editorGroupIds: ['team'] }))
      .refuses('editor_not_listed'));
  it('is allowed for an administrator, if the bot is shared', () =>
    given(...sharedAs(toBen))
      .when(share({ scope: 'all' }, admin))
      .emits(widened(toBen, { ...toBen, scope: 'all' }, 'root')));
  it('refuses an editor', () =>
    given(...sharedAs(toBenEditing))
      .when(share({ scope: 'all' }, ben))
      .refuses('not_owner'));
  it('refuses a user who may only see the bot', () =>
    given(...sharedAs(toAll))
      .when(share({ scope: 'private' }, stranger))
      .refuses('not_owner'));
  it.each([
    ['a user', stranger],
    ['an administrator', admin],
  ])('hides a private bot from %s', (_, by) =>
    given(created)
      .when(share({ scope: 'all' }, by))
      .refuses('bot_not_found'),
  );
  it('refuses a deleted bot', () =>
    given(created, { type: 'BotDeleted', ownerUserId: 'ann', by: 'ann', sharing: PRIVATE })
      .when(share({ scope: 'all' }))
      .refuses('bot_not_found'));
});

describe('sharing a pinned bot', () => {
  it.each([
    ['narrow it from all users to private', toAll, { scope: 'private' }],
    ['narrow it from all users to listed users', toAll, { scope: 'partial', userIds: ['ben'] }],
    ['narrow it from listed users to private', toBen, { scope: 'private' }],
    ['empty its lists', toBen, { scope: 'partial', userIds: [] }],
  ] as const)('refuses to %s, for its owner and an administrator', (_, before, request) => {
    for (const by of [ann, admin])
      given(...sharedAs(before), pinned)
        .when(share(request, by))
        .refuses('bot_pinned');
  });
  it('widens it to all users', () =>
    given(...sharedAs(toBen), pinned)
      .when(share({ scope: 'all' }))
      .emits(widened(toBen, { ...toBen, scope: 'all' })));
  it('removes a user from its lists if another one stays', () => {
    const both: Sharing = { ...toBen, userIds: ['ben', 'cat'] };
    given(...sharedAs(both), pinned)
      .when(share({ scope: 'partial', userIds: ['cat'] }))
      .emits(narrowed(both, { ...toBen, userIds: ['cat'] }));
  });
  it('narrows it after it was unpinned', () =>
    given(...sharedAs(toBen), pinned, { type: 'BotUnpinned', by: 'root', order: 1 })
      .when(share({ scope: 'private' }))
      .emits(narrowed(toBen, PRIVATE)));
});

describe('forgetting a listed user or group', () => {
  const forgetBen: BotCommand = { type: 'ForgetListed', gone: { userId: 'ben' } };
  const forgetTeam: BotCommand = { type: 'ForgetListed', gone: { group: 'team' } };
  it('narrows the bot, because the user was erased', () =>
    given(...sharedAs(toBenEditing))
      .when(forgetBen)
      .emits({ type: 'BotNarrowed', by: null, because: 'user_erased', before: toBenEditing, after: partial }));
  it('narrows the bot, because the group was deleted', () =>
    given(...sharedAs(toTeam))
      .when(forgetTeam)
      .emits({ type: 'BotNarrowed', by: null, because: 'group_deleted', before: toTeam, after: partial }));
  it('changes the lists of a bot that is shared with all users', () => {
    const before: Sharing = { ...toBenEditing, scope: 'all' };
    given(...sharedAs(before))
      .when(forgetBen)
      .emits({ type: 'BotEditorsChanged', by: null, before, after: toAll });
  });
  it('empties the lists of a pinned bot, too', () =>
    given(...sharedAs(toTeam), pinned)
      .when(forgetTeam)
      .emits({ type: 'BotNarrowed', by: null, because: 'group_deleted', before: toTeam, after: partial }));
  it('does not mistake a group for a user of the same name', () =>
    given(...sharedAs({ ...partial, groupIds: ['ben'] }))
      .when(forgetBen)
      .emits());
  it('does nothing if the user is not listed', () => given(created).when(forgetBen).emits());
  it('does nothing to a bot that never existed', () => given().when(forgetBen).emits());
});
