import { describe, expect, it } from '@jest/globals';
import { Upcasters } from '@parlance/event-store';
import { fold } from '@parlance/decider';
import { bot, type BotEvent } from './bot.ts';
import { DEFAULT_SETTINGS } from './configuration.ts';
import { upcasts } from './earlier-events.ts';
import { PRIVATE } from './sharing.ts';

const upcasters = new Upcasters(upcasts);
const read = (event: { type: string }, schema = 1) => upcasters.present({ id: 'e', schema, event });
const created = { type: 'BotCreated', ownerUserId: 'ann', title: 'Guide', description: '', instruction: 'Be brief.' };

describe('events of releases up to 0.2', () => {
  it('create a private bot with default settings and texts in the clear', () =>
    expect(read(created).event).toEqual({
      type: 'BotCreated',
      ownerUserId: 'ann',
      configuration: {
        title: { clear: 'Guide' },
        description: null,
        instruction: { clear: 'Be brief.' },
        quickStarters: null,
        settings: DEFAULT_SETTINGS,
      },
    }));
  it('delete a private bot by its owner', () =>
    expect(read({ type: 'BotDeleted', ...{ ownerUserId: 'ann' } }).event).toEqual({
      type: 'BotDeleted',
      ownerUserId: 'ann',
      by: 'ann',
      sharing: PRIVATE,
    }));
  it('delete a private bot with its owner', () =>
    expect(read({ type: 'BotDeletedWithOwner', ...{ ownerUserId: 'ann' } }).event).toEqual({
      type: 'BotDeletedWithOwner',
      ownerUserId: 'ann',
      sharing: PRIVATE,
    }));
  it('give a bot that the decider takes', () =>
    expect(fold(bot, [read(created).event as BotEvent])).toEqual({ status: 'living', ownerUserId: 'ann', sharing: PRIVATE, pin: null }));
});

describe('events of this release', () => {
  it.each(['BotCreated', 'BotDeleted', 'BotDeletedWithOwner'])('%s has schema 2 and is read as it was written', (type) => {
    const [recorded] = upcasters.record([{ type }]);
    expect(recorded!.schema).toBe(2);
    expect(read({ type, ...{ some: 'field' } }, 2).event).toEqual({ type, some: 'field' });
  });
});
