import { z } from 'zod';
import { type DataOf, id, nanoDollars, publicEvent, userId } from '../public-event.ts';
import { api, place, usage } from './parts.ts';

// None of these events has an audit entry: using a bot is not administration, and its cost is in the figures.

export const MessageSubmitted = publicEvent(
  'parlance.inference.message-submitted.v1',
  'Published when a message is accepted. Its reply follows.',
  z.strictObject({ ...place, message_id: id.describe('ID of the message.') }),
  null,
);
export type MessageSubmitted = DataOf<typeof MessageSubmitted>;

export const ReplyRequested = publicEvent(
  'parlance.inference.reply-requested.v1',
  'Published when a user asks for another reply to a message, or for the continuation of a reply. The reply follows.',
  z.strictObject({ ...place, message_id: id.describe('ID of the message that is answered.') }),
  null,
);
export type ReplyRequested = DataOf<typeof ReplyRequested>;

export const ReplyCompleted = publicEvent(
  'parlance.inference.reply-completed.v1',
  'Published when a reply is stored and charged to the user and the bot of its conversation.',
  z.strictObject({
    ...place,
    usage,
    cost_nano_dollars: nanoDollars('Cost of the reply.'),
  }),
  null,
);
export type ReplyCompleted = DataOf<typeof ReplyCompleted>;

export const TokensCharged = publicEvent(
  'parlance.inference.tokens-charged.v1',
  'Published when anything other than a completed reply is charged: titles, broken replies, model calls of a reply that end with tool calls, guardrails, tools, embeddings, rerankings. A completed reply is charged by its own event.',
  z.strictObject({
    charge_id: id.describe('ID of the charge.'),
    purpose: z
      .enum(['chat', 'title', 'guardrail', 'tool', 'embedding', 'reranking'])
      .describe('What the call was made for. `chat`: a reply that broke off, or called tools.'),
    conversation_id: place.conversation_id,
    user_id: userId,
    bot_id: place.bot_id,
    ...api,
    budgets: place.budgets,
    next_budgets: place.budgets.describe(
      'Present if the reply continues with another model call: the reservation in `budgets` ends with this charge, and the next call is reserved in these blocks.',
    ),
    model: place.model,
    usage,
    units: z
      .int()
      .positive()
      .optional()
      .describe('Text units of a guardrail of Amazon Bedrock, which uses no tokens, or searches of a reranker.'),
    cost_nano_dollars: nanoDollars('Cost of the call.'),
  }),
  null,
);
export type TokensCharged = DataOf<typeof TokensCharged>;

export const KnowledgeCharged = publicEvent(
  'parlance.inference.knowledge-charged.v1',
  'Published when a model call for the knowledge of a bot, outside any conversation, is charged.',
  z.strictObject({
    charge_id: id.describe('ID of the charge.'),
    purpose: z
      .enum(['embedding', 'parsing', 'reranking'])
      .describe('What the call was made for. `parsing`: a model read a page of a document.'),
    user_id: id.describe("ID of the user who pays: the bot's owner, or the user who tries a search."),
    bot_id: id.describe('ID of the bot.'),
    ...api,
    model: place.model,
    usage,
    units: z.int().positive().optional().describe('Searches of a reranker.'),
    cost_nano_dollars: nanoDollars('Cost of the call.'),
  }),
  null,
);
export type KnowledgeCharged = DataOf<typeof KnowledgeCharged>;

export const ReplyFailed = publicEvent(
  'parlance.inference.reply-failed.v1',
  'Published when a reply fails. No other reply follows.',
  z.strictObject({ ...place, code: z.string().describe('Error code.') }),
  null,
);
export type ReplyFailed = DataOf<typeof ReplyFailed>;
