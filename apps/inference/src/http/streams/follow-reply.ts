import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { markerOf } from '@parlance/chat-models';
import { dollars } from '@parlance/money';
import { OtherReplicas } from '../../adapters/other-replicas.ts';
import { MessageById, type MessageInConversation } from '../../projections/messages/message-by-id.ts';
import type { MessageRow } from '../../projections/messages/message-rows.ts';
import { WorkerOf } from '../../projections/messages/pending-replies.ts';
import { GrowingText } from '../../workflows/writing/growing-text.ts';
import { LiveReplies, type LiveReply } from '../../workflows/live-replies.ts';
import {
  beginningOf,
  type Followed,
  type StreamEvent,
  type StreamPosition,
  type PositionedEvent,
  streamEvent,
} from '../../adapters/stream-events.ts';
import { marksOf, openedText, type ToolMark } from '../../workflows/tools/opened-rounds.ts';
import type { UsedChunk } from '../answers.ts';
import { usageOf } from '../replies/used-tokens.ts';
import { OpenedMessages } from '../opened-messages.ts';

type Texts = Pick<LiveReply, 'text' | 'reasoning'> & { readonly marks: readonly ToolMark[] };

/** Code units of one event. */
const LONGEST_PIECE = 8_192;
/** How often the rows of a reply are read while no reachable process writes it. */
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/**
 * Follows a reply to its end: from the worker in this process, from another replica, or from the read model once it is stored. An interrupted reader
 * continues after its position, unless another worker has written the text again: then the stream says `restarted`, and the text follows from
 * its beginning.
 */
@Injectable()
export class FollowReply {
  constructor(
    private readonly queries: QueryBus,
    private readonly live: LiveReplies,
    private readonly opened: OpenedMessages,
    private readonly others: OtherReplicas,
  ) {}

  /**
   * Ends with `done` or `error`, when the user has to approve a call, or when the reader leaves. The reply is stored before `done`.
   */
  async *events(followed: Followed, after: StreamPosition | null, reader: AbortSignal): AsyncGenerator<StreamEvent> {
    const { conversationId, replyId } = followed;
    const beginnings = new Beginnings(replyId, after !== null);
    let at = after;
    for (let tries = 0; !reader.aborted; tries++) {
      const before = at;
      let isLost = false;
      for await (const event of this.unfinished(followed, at, reader, () => (isLost = true))) {
        at = event.at;
        yield* beginnings.shown(event);
      }
      if (reader.aborted) return;
      const found = await this.queries.execute(new MessageById(conversationId, replyId));
      if (found?.message.status !== 'processing') {
        for await (const event of this.finished(followed, found, at)) yield* beginnings.shown(event);
        return;
      }
      if (isLost && at !== null && !beginnings.isVoid) {
        // From the beginning, even if the worker can be reached again.
        at = beginningOf(at.claim);
        yield beginnings.again(at);
      }
      if (at !== before) tries = 0;
      await this.begunOrPaused(followed, tries, reader);
    }
  }

  /** Follows the worker in this process until it ends. Empty if this process does not write the reply. */
  async *here(
    { conversationId, replyId, userId }: Followed,
    after: StreamPosition | null,
    reader: AbortSignal,
  ): AsyncGenerator<PositionedEvent> {
    const live = this.live.of(replyId);
    if (live?.userId !== userId) return;
    let at = beginningOf(live.reply.claim);
    if (after?.claim === at.claim) at = after;
    else yield streamEvent('start', at, { conversation_id: conversationId, message_id: replyId });
    while (!reader.aborted) {
      const piece = nextPiece(live, at);
      if (piece) {
        ({ at } = piece);
        yield piece;
      } else if (live.hasEnded) return;
      else await live.change(reader);
    }
  }

  /** Resolves with the reply's row when the reply has ended or is waiting for an approval. Null if the time is over, the reader leaves, or the row was removed. */
  async end(followed: Followed, millis: number, reader?: AbortSignal): Promise<MessageInConversation | null> {
    const { conversationId, replyId } = followed;
    // If this process writes the reply, its row is read once.
    const over = new AbortController();
    // Explicit null, because an exception would be created for each default reason.
    const stop = () => over.abort(null);
    const timer = setTimeout(stop, Math.max(0, Math.floor(millis)));
    reader?.addEventListener('abort', stop, { once: true });
    if (reader?.aborted) stop();
    try {
      for (let tries = 0; ; tries++) {
        await this.live.of(replyId)?.ended(over.signal);
        const found = await this.queries.execute(new MessageById(conversationId, replyId));
        if (found?.message.status !== 'processing') return found;
        if (over.signal.aborted) return null;
        if (!this.live.of(replyId)) await this.begunOrPaused(followed, tries, over.signal);
      }
    } finally {
      clearTimeout(timer);
      reader?.removeEventListener('abort', stop);
    }
  }

  /** Resolves when this process begins to write the reply, or after a pause in which another replica may have written it. */
  private async begunOrPaused({ replyId, userId }: Followed, tries: number, reader: AbortSignal): Promise<void> {
    // The reply has begun in the meantime.
    if (this.live.of(replyId)?.userId === userId) return;
    const enough = new AbortController();
    const stop = () => enough.abort(null);
    const timer = setTimeout(stop, Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** tries));
    reader.addEventListener('abort', stop, { once: true });
    if (!reader.aborted) await this.live.begun(replyId, enough.signal);
    clearTimeout(timer);
    reader.removeEventListener('abort', stop);
  }

  private async *unfinished(
    followed: Followed,
    at: StreamPosition | null,
    reader: AbortSignal,
    onLost: () => void,
  ): AsyncGenerator<PositionedEvent> {
    if (this.live.of(followed.replyId)) return yield* this.here(followed, at, reader);
    const worker = await this.queries.execute(new WorkerOf(followed.replyId));
    if (worker !== null) yield* this.others.follow(worker, followed, at, reader, onLost);
  }

  private async *finished(
    followed: Followed,
    found: MessageInConversation | null,
    after: StreamPosition | null,
  ): AsyncGenerator<PositionedEvent> {
    const { conversationId: conversation_id, replyId: message_id } = followed;
    const claim = found?.message.claim ?? message_id;
    let at = beginningOf(claim);
    if (after?.claim === claim) at = after;
    else yield streamEvent('start', at, { conversation_id, message_id });
    if (!found) return yield streamEvent('error', at, { code: 'message_not_found', message: 'This reply was erased.' });
    const texts = await this.stored(found.message);
    const isWaiting = found.message.status === 'awaiting_approval';
    for (let piece = nextPiece(texts, at); piece; piece = nextPiece(texts, at)) {
      ({ at } = piece);
      yield piece;
    }
    // The stream can be resumed from the same position when the user has decided.
    if (isWaiting) return;
    const { error, stop_reason = 'end_turn', cost_nano_dollars = 0, tools, guardrail } = found.message;
    if (error) return yield streamEvent('error', at, error);
    for (const chunk of citedIn(texts.text.toString(), await this.opened.usedChunks(found.message)).slice(at.citations)) {
      at = { ...at, citations: at.citations + 1 };
      yield streamEvent('citation', at, chunk);
    }
    yield streamEvent('done', at, {
      message_id,
      stop_reason,
      usage: usageOf(found.message),
      cost: dollars(cost_nano_dollars + (tools?.cost_nano_dollars ?? 0)),
      ...(guardrail && { guardrail }),
    });
  }

  private async stored(message: MessageRow): Promise<Texts> {
    const texts = { text: new GrowingText(), reasoning: new GrowingText() };
    const rounds = await this.opened.rounds(message);
    texts.text.add((await this.opened.text(message.content)) ?? openedText(rounds, 'text'));
    texts.reasoning.add((await this.opened.text(message.reasoning)) ?? openedText(rounds, 'reasoning'));
    return { ...texts, marks: rounds.flatMap(marksOf) };
  }
}

/** What a reader knows of the beginning of a reply: each stream has one `start`, and each later beginning is a `restarted`. */
class Beginnings {
  /** Whether nothing of the reply that the reader has received counts. */
  isVoid = false;

  constructor(
    private readonly replyId: string,
    private hasBegun: boolean,
  ) {}

  *shown({ at, event }: PositionedEvent): Generator<StreamEvent> {
    const isStart = event.event === 'start';
    if (!isStart || !this.hasBegun) yield event;
    else if (!this.isVoid) yield this.again(at);
    this.hasBegun = true;
    this.isVoid = isStart;
  }

  again(at: StreamPosition): StreamEvent {
    this.isVoid = true;
    return streamEvent('restarted', at, { message_id: this.replyId }).event;
  }
}

/** The next event. Reasoning precedes text, as models produce it, and tool calls are at their positions. Null if there is no more. */
function nextPiece({ text, reasoning, marks }: Texts, at: StreamPosition): PositionedEvent | null {
  const mark = marks[at.tools];
  if (mark && at.reasoning >= mark.reasoningAt && at.text >= mark.textAt)
    return streamEvent(mark.event, { ...at, tools: at.tools + 1 }, mark.data);
  const [thoughts, texts] = mark ? [mark.reasoningAt, mark.textAt] : [reasoning.length, text.length];
  const thought = at.reasoning < thoughts ? reasoning.from(at.reasoning, Math.min(LONGEST_PIECE, thoughts - at.reasoning)) : '';
  if (thought !== '') return streamEvent('reasoning', { ...at, reasoning: at.reasoning + thought.length }, { text: thought });
  const piece = at.text < texts ? text.from(at.text, Math.min(LONGEST_PIECE, texts - at.text)) : '';
  return piece === '' ? null : streamEvent('delta', { ...at, text: at.text + piece.length }, { text: piece });
}

/** The chunks that the text refers to, in the order of their ranks. */
export const citedIn = (text: string, chunks: readonly UsedChunk[] | null): UsedChunk[] =>
  (chunks ?? []).filter(({ rank }) => text.includes(markerOf(rank)));
