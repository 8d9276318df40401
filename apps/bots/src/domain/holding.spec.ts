import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { bot, type BotEvent } from './bot.ts';
import { PRIVATE } from './sharing.ts';

const given = specify(bot);
const ann = { userId: 'ann', groups: [] };
const created = { type: 'BotCreated', ownerUserId: 'ann', configuration: {} } as unknown as BotEvent;
const held: BotEvent = { type: 'BotHeld', holdId: 'h1' };
const ended: BotEvent = { type: 'BotHoldEnded', holdId: 'h1' };
const drop = { type: 'Delete', by: ann } as const;

describe('a bot on hold', () => {
  it('is held once', () => given(created, held).when({ type: 'Hold', holdId: 'h1' }).emits());
  it('is not deleted by its owner', () => given(created, held).when(drop).refuses('on_hold'));
  it('is hidden from other users, who do not learn about the hold', () =>
    given(created, held)
      .when({ type: 'Delete', by: { userId: 'ben', groups: [] } })
      .refuses('bot_not_found'));
  it('names the hold to administrators only', () => {
    const state = fold(bot, [created, held]);
    const refusalText = (groups: readonly string[]) =>
      (bot.decide({ type: 'Delete', by: { userId: 'ann', groups } }, state) as Refusal).message;
    expect([refusalText([]).includes('h1'), refusalText(['Admin']).includes('h1')]).toEqual([false, true]);
  });
  it('is deleted after the hold has ended', () =>
    given(created, held, ended).when(drop).emits({ type: 'BotDeleted', ownerUserId: 'ann', by: 'ann', sharing: PRIVATE }));
  it('is deleted with its owner, whose erasure began before the hold', () =>
    given(created, held)
      .when({ type: 'DeleteWithOwner', ownerUserId: 'ann' })
      .emits({ type: 'BotDeletedWithOwner', ownerUserId: 'ann', sharing: PRIVATE }));
  it('is not held by a hold whose end arrived first', () => given(created, ended).when({ type: 'Hold', holdId: 'h1' }).emits());
  it('cannot be held if it does not exist', () => given().when({ type: 'Hold', holdId: 'h1' }).refuses('bot_not_found'));
  it('has no hold to end if it does not exist', () => given().when({ type: 'EndHold', holdId: 'h1' }).emits());
});
