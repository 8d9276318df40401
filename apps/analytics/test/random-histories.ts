import { firstIdAt, newId } from '@parlance/event-store';
import fc from 'fast-check';
import type { RawEvent } from './oracle.ts';

export const HOUR = 3_600_000;
export const DAYS = 45;
export const [users, bots] = [Array.from({ length: 4 }, newId).toSorted(), Array.from({ length: 3 }, newId).toSorted()];
/** Two API keys of each bot. */
const keys = new Map(bots.map((bot) => [bot, [newId(), newId()]]));
const now = Date.now();
export const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR).toISOString();

/** IDs with the times of different days, and one without a time. */
const idOf = (index: number) => (index === 0 ? 'conversation' : firstIdAt(now - index * 7 * 24 * HOUR) + newId().slice(10));
const conversations = Array.from({ length: 6 }, (_, index) => ({
  id: idOf(index),
  user: users[index % 4]!,
  bot: [...bots, null][index % 4]!,
}));

const KINDS = [
  'message-submitted',
  'reply-completed',
  'tokens-charged',
  'knowledge-charged',
  'model-checked',
  'feedback-given',
  'costs-restated',
  'publication-succeeded',
  'publication-removed',
  'api-usage-recorded',
] as const;

/** One step of a history, in a conversation or outside. */
export const step = fc.record({
  what: fc.constantFrom(...KINDS),
  conversation: fc.nat(conversations.length - 1),
  hoursAgo: fc.nat(DAYS * 24),
  reply: fc.nat(3),
  /** For a program that asks; none for a user. */
  key: fc.constantFrom(null, 0, 1),
  model: fc.constantFrom('large', 'small', 'model.with.dots'),
  nano: fc.oneof(fc.constantFrom(0, 1), fc.nat(2_000_000_000)),
  tokens: fc.nat(1_000),
  thumbsUp: fc.boolean(),
  isRepeated: fc.boolean(),
});
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Corrections of earlier charges. */
export function correctionOf(charges: readonly RawEvent[], { hoursAgo, nano, thumbsUp, isRepeated }: Step): RawEvent {
  const first = charges[hoursAgo % charges.length]!;
  const corrections = (isRepeated ? charges.slice(-3) : [first]).map(({ time, data: { user_id, bot_id, api_key_id, model } }) => ({
    hour: time.slice(0, 13),
    user_id,
    bot_id,
    ...(api_key_id !== undefined && { api_id: 'api', api_key_id }),
    model: model!,
    difference_nano_dollars: thumbsUp ? nano : -nano,
  }));
  return {
    type: 'parlance.inference.costs-restated.v1',
    time: at(0),
    subject: 'restatements',
    data: { restatement_id: 'r', corrections } as never,
  };
}

/** An event of one of two publications of a bot. */
function publicationOf({ what, conversation, hoursAgo, reply, tokens }: Step): RawEvent {
  const bot = conversations[conversation]!.bot ?? bots[0]!;
  const api_id = `${bot}${reply % 2}`;
  const place = { bot_id: bot, deployment_id: api_id, owner_user_id: users[0]!, stage: 'api', api_id };
  const data = {
    'publication-succeeded': place,
    'publication-removed': { bot_id: bot, deployment_id: api_id, owner_user_id: users[0]!, because: 'requested', api_key_ids: [] },
    'api-usage-recorded': { bot_id: bot, api_key_id: 'k', api_id, hour: 0, request_count: tokens },
  }[what as 'publication-succeeded'];
  return { type: `parlance.publication.${what}.v1`, time: at(hoursAgo), subject: `publication-${bot}`, data: data as never };
}

export function eventOf(one: Step): RawEvent {
  const { what, conversation, hoursAgo, reply, key, model, nano, tokens, thumbsUp, isRepeated } = one;
  if (what.startsWith('publication-') || what === 'api-usage-recorded') return publicationOf(one);
  const { id, user, bot } = conversations[conversation]!;
  const charge = {
    model,
    usage: { input_tokens: tokens, output_tokens: tokens >> 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
    cost_nano_dollars: nano,
  };
  const api = key === null || bot === null ? {} : { api_id: 'api', api_key_id: keys.get(bot)![key]! };
  const place = { conversation_id: id, user_id: user, bot_id: bot, ...api };
  const reply_id = `${id}${reply}`;
  const data = {
    // There is nothing to correct yet.
    'costs-restated': { ...place, reply_id, message_id: 'm', model },
    'message-submitted': { ...place, reply_id, message_id: 'm', model },
    'reply-completed': { ...place, reply_id, ...charge },
    'tokens-charged': { ...place, charge_id: 'c', purpose: 'title', ...charge },
    'knowledge-charged': { charge_id: 'k', purpose: 'embedding', user_id: user, bot_id: bot ?? bots[0]!, ...api, ...charge },
    'model-checked': { check_id: 'c', user_id: user, bot_id: null, failure: null, ...charge },
    'feedback-given': { ...place, reply_id, thumbs_up: thumbsUp, category: thumbsUp ? null : model.slice(0, 5), has_comment: isRepeated },
  }[what as 'message-submitted']!;
  const type = what === 'costs-restated' ? 'message-submitted' : what;
  return { type: `parlance.inference.${type}.v1`, time: at(hoursAgo), subject: `conversation-${id}`, data };
}
