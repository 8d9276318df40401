import type { Refusal } from '@parlance/decider';
import type { Verdicts } from '@parlance/guardrails';
import { refuseField } from '../../domain/conversation-refusals.ts';

const NAMES: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  phone: 'a phone number',
  iban: 'an IBAN',
  payment_card: 'the number of a payment card',
  national_id: 'a national ID',
  ip_address: 'an IP address',
  secret: 'a password or a key',
  words: 'words that are not allowed',
};

/** The refusal of a message that a policy blocks. It names the kinds of the values, not the values. */
export function blockedMessage(verdicts: Verdicts): Refusal {
  const id = verdicts.blockedBy!;
  const kinds = Object.keys(verdicts.all().find((each) => each.id === id)?.found ?? {});
  const found = kinds.map((kind) => NAMES[kind] ?? kind).join(', ');
  return refuseField('message.content', 'guardrail_blocked', `The policy ${id} does not allow this message, because it contains ${found}.`);
}

/** Shown where a policy has ended an answer. */
export const endedBy = (id: string, isBegun: boolean): string =>
  isBegun ? `\n\n(The rest of this answer was withheld by the policy ${id}.)` : `This answer was withheld by the policy ${id}.`;
