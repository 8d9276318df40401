import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import type { Clock } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { MailServer } from '../adapters/mail/mail-server.ts';
import type { ExecuteOutgoingMail } from '../commands/aggregates.ts';
import { MailsOfEvents } from '../workflows/mail/mails-of-events.ts';
import { MailWarningWhenAccountChanges, WARNING_PERIOD_MILLIS } from './mail-warning-when-account-changes.ts';

const noon = 1_800_000_000_000 - (1_800_000_000_000 % WARNING_PERIOD_MILLIS);
const [ann, ben] = [newId(), newId()];

/** The IDs of the mails that are requested after these events. A mail is sent once for each ID. */
async function mailsAfter(
  ...events: readonly (readonly [on: 'onPersonalTokenCreated' | 'onSecondFactorAdded', userId: string, at: number])[]
) {
  const ids: string[] = [];
  const commands = { execute: async ({ id }: InstanceType<typeof ExecuteOutgoingMail>) => ids.push(id) } as unknown as CommandBus;
  const clock = { now: () => Instant.ofMillis(noon) } as Clock;
  const policy = new MailWarningWhenAccountChanges(new MailsOfEvents(commands, { isOn: true } as MailServer, clock));
  for (const [on, user_id, at] of events)
    await policy[on]({ id: newId(), time: new Date(noon + at).toISOString(), data: { user_id } } as CloudEvent<never>);
  return new Set(ids).size;
}

describe('changes of an account', () => {
  it('cause one mail for all changes of a kind in five minutes', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ['onPersonalTokenCreated', ann, index * 1_000] as const);
    expect(await mailsAfter(...many)).toBe(1);
  });
  it('cause further mails if they are of another kind, of another user, or later', async () => {
    const first = ['onPersonalTokenCreated', ann, 0] as const;
    expect(await mailsAfter(first, ['onSecondFactorAdded', ann, 0])).toBe(2);
    expect(await mailsAfter(first, ['onPersonalTokenCreated', ben, 0])).toBe(2);
    expect(await mailsAfter(first, ['onPersonalTokenCreated', ann, WARNING_PERIOD_MILLIS])).toBe(2);
  });
});
