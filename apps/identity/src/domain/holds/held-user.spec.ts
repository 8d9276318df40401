import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { user, type UserCommand, type UserEvent } from '../user.ts';

const given = specify(user);
const registered: UserEvent = {
  type: 'UserRegistered',
  email: 's1.e',
  firstName: 's1.f',
  lastName: 's1.l',
  passwordHash: null,
  groups: [],
  mustChangePassword: false,
  emailVerified: true,
  origin: 'admin',
};
const held: UserEvent = { type: 'UserHeld', holdId: 'h1' };
const ended: UserEvent = { type: 'UserHoldEnded', holdId: 'h1' };
const erased: UserEvent = { type: 'UserErased' };

describe('a user on hold', () => {
  it('is held once', () => given(registered, held).when({ type: 'Hold', holdId: 'h1' }).emits());
  it('is not erased', () => given(registered, held).when({ type: 'Erase' }).refuses('on_hold'));
  it('is not erased while another hold remains', () =>
    given(registered, held, { type: 'UserHeld', holdId: 'h2' }, ended).when({ type: 'Erase' }).refuses('on_hold'));
  it('is erased after the hold has ended', () => given(registered, held, ended).when({ type: 'Erase' }).emits(erased));
  it('cannot be held after the erasure', () => given(registered, erased).when({ type: 'Hold', holdId: 'h1' }).refuses('user_not_found'));
  it('has no hold to end after the erasure', () => given(registered, erased).when({ type: 'EndHold', holdId: 'h1' }).emits());
  it('is not held by a hold whose end arrived first', () => given(registered, ended).when({ type: 'Hold', holdId: 'h1' }).emits());

  it('is never erased while a hold is active, in any order of commands', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({ type: fc.constantFrom('Hold' as const, 'EndHold' as const), holdId: fc.constantFrom('h1', 'h2', 'h3') }),
            fc.constant({ type: 'Erase' as const }),
          ),
        ),
        (commands: readonly UserCommand[]) => {
          const log: UserEvent[] = [registered];
          const on = new Set<string>();
          const over = new Set<string>();
          for (const command of commands) {
            const decision = user.decide(command, fold(user, log));
            const isErased = log.some(({ type }) => type === 'UserErased');
            if (command.type === 'Erase') expect(decision instanceof Refusal).toBe(isErased || on.size > 0);
            if (decision instanceof Refusal) continue;
            log.push(...decision);
            if (isErased) continue;
            if (command.type === 'Hold' && !over.has(command.holdId)) on.add(command.holdId);
            if (command.type === 'EndHold') {
              over.add(command.holdId);
              on.delete(command.holdId);
            }
          }
        },
      ),
    ));
});
