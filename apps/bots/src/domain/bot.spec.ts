import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { bot, type BotCommand, type BotEvent } from './bot.ts';

const given = specify(bot);
const facts = { ownerUserId: 'ann', title: 'Guide', description: '', instruction: 'Be brief.' };
const create: BotCommand = { type: 'Create', ...facts };
const created: BotEvent = { type: 'BotCreated', ...facts };
const deleted: BotEvent = { type: 'BotDeleted', ownerUserId: 'ann' };

describe('creating a bot', () => {
  it('makes it, private to its owner', () => given().when(create).emits(created));
  it('does nothing when the owner repeats it', () => given(created).when(create).emits());
  it('refuses an id of another user', () =>
    given(created)
      .when({ ...create, ownerUserId: 'ben' })
      .refuses('bot_id_taken'));
  it('refuses the id of a deleted bot', () => given(created, deleted).when(create).refuses('bot_id_taken'));
});

describe('deleting a bot', () => {
  it('ends it', () => given(created).when({ type: 'Delete', by: 'ann' }).emits(deleted));
  it('does nothing the second time', () => given(created, deleted).when({ type: 'Delete', by: 'ann' }).emits());
  it('refuses one that never was', () => given().when({ type: 'Delete', by: 'ann' }).refuses('bot_not_found'));
  it('hides it from other users', () => given(created).when({ type: 'Delete', by: 'ben' }).refuses('bot_not_found'));
});

describe('deleting a bot with its owner', () => {
  const erase: BotCommand = { type: 'DeleteWithOwner', ownerUserId: 'ann' };
  const erased: BotEvent = { type: 'BotDeletedWithOwner', ownerUserId: 'ann' };
  it('ends it', () => given(created).when(erase).emits(erased));
  it('does nothing the second time', () => given(created, erased).when(erase).emits());
  it('does nothing to one that its owner deleted before', () => given(created, deleted).when(erase).emits());
  it("leaves another user's bot alone", () =>
    given(created)
      .when({ ...erase, ownerUserId: 'ben' })
      .refuses('bot_not_found'));
  it('leaves its id taken', () => given(created, erased).when(create).refuses('bot_id_taken'));
});
