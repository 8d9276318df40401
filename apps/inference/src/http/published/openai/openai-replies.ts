import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import type { Caller, FieldError } from '@parlance/http';
import { Catalogue, type ModelsOfBot } from '../../../adapters/pricing/catalogue.ts';
import type { Followed } from '../../../adapters/stream-events.ts';
import { OwnedMessage, type MessageInConversation } from '../../../projections/messages/message-by-id.ts';
import type { MessageRow } from '../../../projections/messages/message-rows.ts';
import { REPLY_MINUTES } from '../../../workflows/writing/reply-failures.ts';
import { ownerKeyOf } from '../../caller-as-owner.ts';
import { OpenedMessages } from '../../opened-messages.ts';
import { citedIn, FollowReply } from '../../streams/follow-reply.ts';
import { usageOf } from '../../replies/used-tokens.ts';
import { calledBot, PublishedReplies } from '../published-replies.ts';
import type { ClientRequest } from './client-request.ts';
import type { EndedReply, FailedReply } from './ended-reply.ts';
import { type ReplyAddress, responseNotFound } from './response-ids.ts';

/** A reply ends within `REPLY_MINUTES` of its beginning. Before that it may wait for a slot. */
const LONGEST_WAIT_MILLIS = 2 * REPLY_MINUTES * 60_000;

/** Replies for clients of the OpenAI standards and MCP. */
@Injectable()
export class OpenAiReplies {
  constructor(
    private readonly published: PublishedReplies,
    private readonly catalogue: Catalogue,
    private readonly calls: ServiceCalls,
    private readonly queries: QueryBus,
    private readonly follow: FollowReply,
    private readonly opened: OpenedMessages,
  ) {}

  /** The models that the called bot may use, beginning with its default. */
  async models(caller: Caller): Promise<readonly string[]> {
    const bot = await this.calls.get<ModelsOfBot>('bots', `/internal/bots/${calledBot(caller)}/seen`);
    const { active_models: active = [] } = bot;
    const allowed = this.catalogue.list.filter(({ id, available }) => available && (active.length === 0 || active.includes(id)));
    if (allowed.length === 0) return [];
    const usual = this.catalogue.requireModel(undefined, bot).id;
    return [usual, ...allowed.map(({ id }) => id).filter((id) => id !== usual)];
  }

  /**
   * Accepts a message. `previous`: the reply that it answers. Null starts a conversation. Throws `model_not_found` (missing),
   * `previous_response_not_found` (missing), and as `PublishedReplies.accept` does.
   */
  async accept(caller: Caller, replyId: string, request: ClientRequest, previous: ReplyAddress | null = null) {
    if (previous) await this.replyOf(caller, previous, 'previous_response_not_found');
    const { model, text, files, terms, parameters, reasoning } = request;
    const accepting = this.published.accept(caller, {
      conversationId: previous?.conversationId ?? null,
      parentId: previous?.replyId ?? null,
      replyId,
      content: [{ content_type: 'text', body: text }],
      files,
      terms,
      parameters,
      model: model ?? undefined,
      reasoning,
      continues: false,
    });
    const accepted = await accepting.catch((error: unknown) => refuseAsClient(error, request));
    return { ...accepted, model: accepted.model! };
  }

  /** A reply of the called API. Throws the refusal with this code (missing). */
  async replyOf(
    caller: Caller,
    { conversationId, replyId }: ReplyAddress,
    code: 'response_not_found' | 'previous_response_not_found',
  ): Promise<MessageInConversation> {
    const found = await this.queries.execute(new OwnedMessage(conversationId, replyId, ownerKeyOf(caller)));
    if (found?.message.role !== 'assistant') throw responseNotFound(code);
    return found;
  }

  /** Resolves when the reply has ended. */
  async ended(followed: Followed, reader: AbortSignal): Promise<EndedReply | FailedReply> {
    const found = await this.follow.end(followed, LONGEST_WAIT_MILLIS, reader);
    if (!found)
      throw refuse('unavailable', 'reply_timeout', 'The reply is not finished yet. It is still being written.', { retry_after: 5 });
    return found.message.error ?? this.endOf(found.message);
  }

  /** The result of a completed reply. */
  async endOf(message: MessageRow): Promise<EndedReply> {
    const text = (await this.opened.text(message.content)) ?? '';
    return {
      text,
      reasoning: (await this.opened.text(message.reasoning)) ?? '',
      stopReason: message.stop_reason ?? 'end_turn',
      isBlocked: message.guardrail === 'blocked',
      usage: usageOf(message),
      chunks: citedIn(text, await this.opened.usedChunks(message)),
    };
  }
}

/** In OpenAI's terms, an unavailable model is not found. Fields have the names that the client uses. */
function refuseAsClient(error: unknown, { questionField }: ClientRequest): never {
  if (!(error instanceof Refusal)) throw error;
  const { kind, code, message, facts } = error;
  if (code === 'model_not_available') throw refuse('missing', 'model_not_found', message);
  const fields = new Map([
    ['message.model', 'model'],
    ['message.content', questionField],
  ]);
  const [first] = (facts['errors'] ?? []) as readonly FieldError[];
  const field = fields.get(first?.path ?? '');
  if (!first || field === undefined) throw error;
  throw refuse(kind, code, message, { ...facts, errors: [{ ...first, path: field }] });
}
