import type { FeedbackGiven, MessageSubmitted, ReplyCompleted, ReplyFailed, ReplyRequested, TokensCharged } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { timeOfId } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { add, type Change, type Cursor, foreignProjection, type Outdated, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { hourAt, type Period } from '../../domain/export-period.ts';

/** Exports and their index are kept this many days. */
export const KEPT_DAYS = 400;
const DAY_MILLIS = 86_400_000;

/** A conversation with messages or costs in an hour: one row of the hour's export. */
export interface ConversationInHourRow {
  hour: Period;
  conversation_id: string;
  user_id: string;
  bot_id: string | null;
  nano_dollars: number;
}

/** An hour with conversations. */
export interface HourRow {
  hour: Period;
  /** The number of events that changed the hour. If the file includes another number, it is out of date. */
  changes: number;
  /** The time of the newest of these events, in RFC 3339. */
  touched_at: string;
}

const inHourRows = table<ConversationInHourRow>('exported_conversations', {
  byConversation: ['conversation_id', 'hour'],
  byUser: ['user_id', 'hour'],
});
const hourRows = table<HourRow>('export_hours', { byTouched: ['touched_at'] });

type Charged =
  | CloudEvent<ReplyCompleted, 'parlance.inference.reply-completed.v1'>
  | CloudEvent<TokensCharged, 'parlance.inference.tokens-charged.v1'>;
type Received =
  | Charged
  | CloudEvent<MessageSubmitted, 'parlance.inference.message-submitted.v1'>
  | CloudEvent<ReplyRequested, 'parlance.inference.reply-requested.v1'>
  | CloudEvent<ReplyFailed, 'parlance.inference.reply-failed.v1'>
  | CloudEvent<FeedbackGiven, 'parlance.inference.feedback-given.v1'>;

/** The hour of the oldest exports that are kept. */
export const oldestHourKept = (now: Instant): Period => hourAt(Instant.plus(now, -KEPT_DAYS * DAY_MILLIS));

const outdated: Outdated = {
  async newest(models) {
    const { rows } = await models.find(hourRows, { index: 'byTouched', order: 'desc', limit: 1 });
    // The position is not stored. The highest one is used, so each lagging partition makes the moment older.
    return rows[0] ? { position: Number.MAX_SAFE_INTEGER, time: rows[0].touched_at } : null;
  },
  before: ({ time }) => [inHourRows, hourRows].map((each) => ({ table: each, key: oldestHourKept(Instant.parse(time)) })),
};

/**
 * The conversations in the export of each hour. A message belongs to the hour in its ID, whenever its events arrive. A cost belongs
 * to the hour in which the tokens were used, as in all figures.
 */
export const exportIndex = foreignProjection<Received>({
  name: 'export-index',
  version: 1,
  tables: [inHourRows, hourRows],
  outdated,
  on: {
    'parlance.inference.message-submitted.v1': ({ time, data }) => {
      const hours = new Set([hourOfMessage(data.message_id, time), hourOfMessage(data.reply_id, time)]);
      return [...hours].flatMap((hour) => changed(hour, time, data, 0));
    },
    'parlance.inference.reply-requested.v1': ofReply,
    'parlance.inference.reply-failed.v1': ofReply,
    'parlance.inference.feedback-given.v1': ofReply,
    'parlance.inference.reply-completed.v1': ({ time, data }) => {
      const [own, charged] = [hourOfMessage(data.reply_id, time), hourOfTime(time)];
      if (own === charged) return changed(own, time, data, data.cost_nano_dollars);
      return [...changed(own, time, data, 0), ...changed(charged, time, data, data.cost_nano_dollars)];
    },
    'parlance.inference.tokens-charged.v1': ({ time, data }) => changed(hourOfTime(time), time, data, data.cost_nano_dollars),
  },
});

interface Party {
  readonly conversation_id: string;
  readonly user_id: string;
  readonly bot_id: string | null;
}

function ofReply({ time, data }: { readonly time: string; readonly data: Party & { readonly reply_id: string } }): readonly Change[] {
  return changed(hourOfMessage(data.reply_id, time), time, data, 0);
}

const hourOfTime = (time: string): Period => hourAt(Instant.parse(time));

function hourOfMessage(id: string, time: string): Period {
  const made = timeOfId(id);
  return made === null ? hourOfTime(time) : hourAt(Instant.ofMillis(made));
}

const keyOf = (hour: Period, conversationId: string) => `${hour}|${conversationId}`;

function changed(hour: Period, time: string, { conversation_id, user_id, bot_id }: Party, nano_dollars: number): readonly Change[] {
  return [
    add(inHourRows, keyOf(hour, conversation_id), { nano_dollars }, { hour, conversation_id, user_id, bot_id }),
    update(hourRows, hour, (row) => ({
      hour,
      changes: (row?.changes ?? 0) + 1,
      touched_at: row && row.touched_at > time ? row.touched_at : time,
    })),
  ];
}

/** Sorts after every conversation ID. */
const LAST_ID = '~';

/** A page of the conversations of an hour, by ID. */
export const ConversationsInHour = query('ConversationsInHour', async (models, hour: Period, limit: number, after: Cursor | null) => {
  return models.find(inHourRows, { index: 'key', from: keyOf(hour, ''), to: keyOf(hour, LAST_ID), limit, ...(after && { after }) });
});

export const HourOf = query('HourOf', async (models, hour: Period): Promise<HourRow | null> => (await models.get(hourRows, hour)) ?? null);

/** Hours that were changed at or after a time, oldest change first. */
export const HoursTouched = query('HoursTouched', async (models, since: string, limit: number, after: Cursor | null) => {
  return models.find(hourRows, { index: 'byTouched', from: since, limit, ...(after && { after }) });
});

/** A page of the hours of a conversation or of a user, oldest first. An hour of a user appears once for each conversation. */
export const HoursWith = query(
  'HoursWith',
  async (models, of: { readonly conversation_id: string } | { readonly user_id: string }, limit: number, after: Cursor | null) => {
    const index = 'user_id' in of ? 'byUser' : 'byConversation';
    const { rows, next } = await models.find(inHourRows, { index, where: { ...of }, limit, ...(after && { after }) });
    return { hours: rows.map((row) => row.hour), next };
  },
);
