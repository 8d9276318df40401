import { type Refusal, refuse, type Sentence } from '@parlance/decider';
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
  const { id, found } = blockedIn(verdicts);
  return refuseField('message.content', 'guardrail_blocked', `The policy ${id} does not allow this message, because it contains ${found}.`);
}

/** The refusal of a call whose request a policy blocks. */
export function blockedRequest(verdicts: Verdicts): Refusal {
  const { id, found } = blockedIn(verdicts);
  return refuse('invalid', 'guardrail_blocked', `The policy ${id} does not allow this request, because it contains ${found}.`);
}

/** The refusal of a call whose answer a policy blocks. */
export function blockedAnswer(verdicts: Verdicts, callId: string): Refusal {
  const { id, found } = blockedIn(verdicts);
  const detail = `The policy ${id} withheld the answer, because it contains ${found}. The call ${callId} is recorded and charged.`;
  return refuse('invalid', 'guardrail_blocked', detail as Sentence);
}

/** The policy that blocks, and the kinds of the values that it has found. */
function blockedIn(verdicts: Verdicts): { readonly id: string; readonly found: string } {
  const id = verdicts.blockedBy!;
  const kinds = Object.keys(verdicts.all().find((each) => each.id === id)?.found ?? {});
  return { id, found: kinds.map((kind) => NAMES[kind] ?? kind).join(', ') };
}

/** Shown where a policy has ended an answer. */
export const endedBy = (id: string, isBegun: boolean): string =>
  isBegun ? `\n\n(The rest of this answer was withheld by the policy ${id}.)` : `This answer was withheld by the policy ${id}.`;
