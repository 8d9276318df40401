import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { bot, type BotEvent } from './bot.ts';
import { DEFAULT_SETTINGS } from './configuration.ts';
import { upcasts } from './earlier-events.ts';
import { PRIVATE } from './sharing.ts';

/** Upcasts an event of schema 1, as the event store does. */
function read({
  type,
  ...fields
}: {
  type: string;
  ownerUserId: string;
  title?: string;
  description?: string;
  instruction?: string;
}): unknown {
  return upcasts[type]!.reduce<Readonly<Record<string, unknown>>>((old, upcast) => upcast(old), fields);
}
const created = { type: 'BotCreated', ownerUserId: 'ann', title: 'Guide', description: '', instruction: 'Be brief.' };

describe('events of releases up to 0.2', () => {
  it('create a private bot with default settings and texts in the clear', () =>
    expect(read(created)).toEqual({
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
    expect(read({ type: 'BotDeleted', ownerUserId: 'ann' })).toEqual({
      ownerUserId: 'ann',
      by: 'ann',
      sharing: PRIVATE,
    }));
  it('delete a private bot with its owner', () =>
    expect(read({ type: 'BotDeletedWithOwner', ownerUserId: 'ann' })).toEqual({
      ownerUserId: 'ann',
      sharing: PRIVATE,
    }));
  it('produce a bot that the decider accepts', () =>
    expect(fold(bot, [{ type: 'BotCreated', ...(read(created) as object) } as BotEvent])).toEqual({
      status: 'living',
      ownerUserId: 'ann',
      title: { clear: 'Guide' },
      sharing: PRIVATE,
      pin: null,
    }));
});

describe('events of this release', () => {
  // Changing the numbers would misread stored events. Functions may only be added.
  it('have schema 2 if release 0.2 stored them in another form', () =>
    expect(Object.entries(upcasts).map(([type, { length }]) => [type, length])).toEqual([
      ['BotCreated', 1],
      ['BotDeleted', 1],
      ['BotDeletedWithOwner', 1],
    ]));
});
