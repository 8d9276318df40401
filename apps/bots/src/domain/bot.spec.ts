import { describe, expect, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { bot, type BotCommand, type BotEvent, statusOf } from './bot.ts';
import { type Configuration, DEFAULT_SETTINGS } from './configuration.ts';
import { type Person, PRIVATE, type Sharing } from './sharing.ts';

const given = specify(bot);
const title = { clear: 'Guide' };
const configuration: Configuration = { title, description: null, instruction: null, quickStarters: null, settings: DEFAULT_SETTINGS };
const ann: Person = { userId: 'ann', groups: [] };
const ben: Person = { userId: 'ben', groups: [] };
const admin: Person = { userId: 'root', groups: ['Admin'] };
const stranger: Person = { userId: 'eve', groups: [] };

const create: BotCommand = { type: 'Create', ownerUserId: 'ann', configuration };
const created: BotEvent = { type: 'BotCreated', ownerUserId: 'ann', configuration };
const toBen: Sharing = { ...PRIVATE, scope: 'partial', userIds: ['ben'] };
const toBenEditing: Sharing = { ...toBen, editorUserIds: ['ben'] };
const widenedTo = (after: Sharing): BotEvent => ({ type: 'BotWidened', by: 'ann', before: PRIVATE, after });
const pinned: BotEvent = { type: 'BotPinned', by: 'root', order: 1 };
const unpinned: BotEvent = { type: 'BotUnpinned', by: 'root', order: 1 };
const deleted: BotEvent = { type: 'BotDeleted', ownerUserId: 'ann', by: 'ann', sharing: PRIVATE };
const erased: BotEvent = { type: 'BotDeletedWithOwner', ownerUserId: 'ann', sharing: PRIVATE };

describe('creating a bot', () => {
  it('creates a private bot', () => given().when(create).emits(created));
  it('keeps the last title', () =>
    given(created)
      .when({ type: 'Delete', by: ann, lastTitle: 's1.x' })
      .emits({ ...deleted, lastTitle: 's1.x' }));
  it('forgets the last title when the owner is erased, once', () => {
    const forget = { type: 'ForgetLastTitle', ownerUserId: 'ann' } as const;
    const titled: BotEvent = { ...deleted, lastTitle: 's1.x' };
    given(created, titled).when(forget).emits({ type: 'LastTitleForgotten' });
    given(created, titled, { type: 'LastTitleForgotten' }).when(forget).emits();
    given(created, titled)
      .when({ ...forget, ownerUserId: 'ben' })
      .emits();
    given(created, deleted).when(forget).emits();
    given(created).when(forget).emits();
  });
  it('does nothing when the owner repeats it', () => given(created).when(create).emits());
  it('refuses the ID of a bot of another user', () =>
    given(created)
      .when({ ...create, ownerUserId: 'ben' })
      .refuses('bot_id_taken'));
  it('refuses the ID of a deleted bot', () => given(created, deleted).when(create).refuses('bot_id_taken'));
  it('refuses the ID of a bot that was deleted with its owner', () => given(created, erased).when(create).refuses('bot_id_taken'));
});

describe('configuring a bot', () => {
  const changes = { title: { clear: 'Map' } };
  const configure = (by: Person): BotCommand => ({ type: 'Configure', by, changes });
  const configured = (by: string): BotEvent => ({ type: 'BotConfigured', by, changes });
  it('is allowed for its owner', () => given(created).when(configure(ann)).emits(configured('ann')));
  it('is allowed for an editor', () => given(created, widenedTo(toBenEditing)).when(configure(ben)).emits(configured('ben')));
  it('is allowed for an administrator, if the bot is shared', () =>
    given(created, widenedTo(toBen)).when(configure(admin)).emits(configured('root')));
  it('is possible while the bot is pinned', () => given(created, widenedTo(toBen), pinned).when(configure(ann)).emits(configured('ann')));
  it('does nothing if no field changes', () => given(created).when({ type: 'Configure', by: ann, changes: {} }).emits());
  it('is refused for the memory of users, except for the owner', () => {
    const remembering = (by: Person): BotCommand => ({ type: 'Configure', by, changes: { settings: { memory: true } } });
    for (const by of [ben, admin]) given(created, widenedTo(toBenEditing)).when(remembering(by)).refuses('memory_of_owner');
    given(created, widenedTo(toBenEditing))
      .when(remembering(ann))
      .emits({ type: 'BotConfigured', by: 'ann', changes: { settings: { memory: true } } });
  });
  it('refuses a user who may only see the bot', () => given(created, widenedTo(toBen)).when(configure(ben)).refuses('not_editor'));
  it('hides a private bot from an administrator', () => given(created).when(configure(admin)).refuses('bot_not_found'));
  it('hides a bot from a user who may not see it', () =>
    given(created, widenedTo(toBen)).when(configure(stranger)).refuses('bot_not_found'));
  it('refuses a deleted bot', () => given(created, deleted).when(configure(ann)).refuses('bot_not_found'));
  it('refuses a bot that never existed', () => given().when(configure(ann)).refuses('bot_not_found'));
});

describe('restoring a version of a bot', () => {
  const restore = (by: Person): BotCommand => ({ type: 'Restore', by, version: 1, configuration });
  const restored = (by: string): BotEvent => ({ type: 'BotRestored', by, version: 1, configuration });
  it('is allowed for its owner', () => given(created).when(restore(ann)).emits(restored('ann')));
  it('is allowed for an administrator, if the bot is shared', () =>
    given(created, widenedTo(toBen)).when(restore(admin)).emits(restored('root')));
  it('refuses an editor', () => given(created, widenedTo(toBenEditing)).when(restore(ben)).refuses('not_owner'));
  it('hides a bot from a user who may not see it', () => given(created).when(restore(ben)).refuses('bot_not_found'));
  it('refuses a deleted bot', () => given(created, deleted).when(restore(ann)).refuses('bot_not_found'));
});

describe('deleting a bot', () => {
  const remove = (by: Person): BotCommand => ({ type: 'Delete', by });
  it('is allowed for its owner', () => given(created).when(remove(ann)).emits(deleted));
  it('is allowed for an administrator, if the bot is shared', () =>
    given(created, widenedTo(toBen))
      .when(remove(admin))
      .emits({ ...deleted, by: 'root', sharing: toBen }));
  it('does nothing when the owner repeats it', () => given(created, deleted).when(remove(ann)).emits());
  it('hides a deleted bot from other users', () => given(created, deleted).when(remove(admin)).refuses('bot_not_found'));
  it('hides a private bot from an administrator', () => given(created).when(remove(admin)).refuses('bot_not_found'));
  it('hides a bot from a user who may not see it', () => given(created).when(remove(ben)).refuses('bot_not_found'));
  it('refuses an editor', () => given(created, widenedTo(toBenEditing)).when(remove(ben)).refuses('not_owner'));
  it('refuses a bot that never existed', () => given().when(remove(ann)).refuses('bot_not_found'));
  it.each([
    ['its owner', ann],
    ['an administrator', admin],
  ])('refuses to delete a pinned bot, for %s', (_, by) => given(created, widenedTo(toBen), pinned).when(remove(by)).refuses('bot_pinned'));
  it('deletes a bot that was unpinned', () =>
    given(created, widenedTo(toBen), pinned, unpinned)
      .when(remove(ann))
      .emits({ ...deleted, sharing: toBen } as BotEvent));
});

describe('deleting a bot with its owner', () => {
  const erase: BotCommand = { type: 'DeleteWithOwner', ownerUserId: 'ann' };
  it('deletes it', () => given(created).when(erase).emits(erased));
  it('deletes a pinned bot too', () =>
    given(created, widenedTo(toBen), pinned)
      .when(erase)
      .emits({ ...erased, sharing: toBen } as BotEvent));
  it('does nothing when repeated', () => given(created, erased).when(erase).emits());
  it('does nothing to a bot that its owner deleted before', () => given(created, deleted).when(erase).emits());
  it("leaves another user's bot alone", () =>
    given(created)
      .when({ ...erase, ownerUserId: 'ben' })
      .refuses('bot_not_found'));
  it('refuses a bot that never existed', () => given().when(erase).refuses('bot_not_found'));
});

describe('pinning a bot', () => {
  const pin = (order: number): BotCommand => ({ type: 'Pin', by: admin, order });
  const unpin: BotCommand = { type: 'Unpin', by: admin };
  it.each([toBen, { ...PRIVATE, scope: 'all' as const }])('pins a bot that is shared: $scope', (sharing) =>
    given(created, widenedTo(sharing)).when(pin(1)).emits(pinned),
  );
  it('refuses a private bot', () => given(created).when(pin(1)).refuses('bot_private'));
  it('refuses a partial bot with empty lists', () =>
    given(created, widenedTo({ ...PRIVATE, scope: 'partial' }))
      .when(pin(1))
      .refuses('bot_private'));
  it('refuses a bot that was made private again', () =>
    given(created, widenedTo(toBen), { type: 'BotNarrowed', by: 'ann', because: 'requested', before: toBen, after: PRIVATE })
      .when(pin(1))
      .refuses('bot_private'));
  it('changes the order of a pinned bot', () =>
    given(created, widenedTo(toBen), pinned)
      .when(pin(2))
      .emits({ ...pinned, order: 2 } as BotEvent));
  it('does nothing if the bot has this order', () => given(created, widenedTo(toBen), pinned).when(pin(1)).emits());
  it('refuses a deleted bot', () => given(created, deleted).when(pin(1)).refuses('bot_not_found'));
  it('refuses a bot that never existed', () => given().when(pin(1)).refuses('bot_not_found'));
  it('unpins a pinned bot', () => given(created, widenedTo(toBen), pinned).when(unpin).emits(unpinned));
  it('does nothing when a bot that is not pinned is unpinned', () => given(created, widenedTo(toBen)).when(unpin).emits());
  it('hides a private bot from the administrator who unpins it', () => given(created).when(unpin).refuses('bot_not_found'));
  it('does nothing when a bot is unpinned twice', () => given(created, widenedTo(toBen), pinned, unpinned).when(unpin).emits());
  it('refuses to unpin a deleted bot', () => given(created, deleted).when(unpin).refuses('bot_not_found'));
});

describe('the status of sharing', () => {
  it.each([
    ['private', null, 'unshared'],
    ['partial', null, 'shared'],
    ['all', null, 'shared'],
    ['all', 1, 'pinned@001'],
    ['partial', 42, 'pinned@042'],
    ['all', 999, 'pinned@999'],
  ] as const)('of scope %s with the order %s is %s', (scope, pin, status) => expect(statusOf(scope, pin)).toBe(status));
});
