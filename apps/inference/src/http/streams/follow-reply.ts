import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { markerOf } from '@parlance/chat-models';
import { dollars } from '@parlance/money';
import { OtherReplicas } from '../../adapters/other-replicas.ts';
import { MessageById, type MessageInConversation, type MessageRow } from '../../projections/messages.ts';
import { WorkerOf } from '../../projections/owed-replies.ts';
import { GrowingText } from '../../workflows/growing-text.ts';
import { LiveReplies, type LiveReply } from '../../workflows/live-replies.ts';
import { beginningOf, type Followed, type StreamEvent, type StreamPosition, type Told, told } from '../../adapters/stream-events.ts';
import type { UsedChunk } from '../answers.ts';
import { OpenedMessages } from '../opened-messages.ts';

type Texts = Pick<LiveReply, 'text' | 'reasoning'>;

/** Code units of one event. */
const LONGEST_PIECE = 8_192;
/** While no replica can be asked for the reply, its rows are read this often. */
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/**
 * Follows a reply to its end: from the worker in this process, from another replica, or from the rows once it is stored. A reader that
 * was interrupted continues behind its position, unless another worker has written the text anew.
 */
@Injectable()
export class FollowReply {
  constructor(
    private readonly queries: QueryBus,
    private readonly live: LiveReplies,
    private readonly opened: OpenedMessages,
    private readonly others: OtherReplicas,
  ) {}

  /** Ends with `done` or `error`, or when the reader is gone. The reply is stored before `done`. */
  async *events(followed: Followed, after: StreamPosition | null, reader: AbortSignal): AsyncGenerator<StreamEvent> {
    const { conversationId, replyId } = followed;
    let at = after;
    for (let tries = 0; !reader.aborted; tries++) {
      const before = at;
      for await (const event of this.unfinished(followed, at, reader)) {
        at = event.at;
        yield event.told;
      }
      if (reader.aborted) return;
      const found = await this.queries.execute(new MessageById(conversationId, replyId));
      if (found?.message.status !== 'processing') return yield* this.finished(followed, found, at);
      if (at !== before) tries = 0;
      await pause(Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** tries), undefined, { signal: reader }).catch(() => undefined);
    }
  }

  /** What the worker in this process has and gets, until it ends. Nothing where this process does not write the reply. */
  async *here({ conversationId, replyId, userId }: Followed, after: StreamPosition | null, reader: AbortSignal): AsyncGenerator<Told> {
    const live = this.live.of(replyId);
    if (live?.userId !== userId) return;
    let at = beginningOf(live.reply.claim);
    if (after?.claim === at.claim) at = after;
    else yield told('start', at, { conversation_id: conversationId, message_id: replyId });
    while (!reader.aborted) {
      const piece = nextPiece(live, at);
      if (piece) {
        ({ at } = piece);
        yield piece;
      } else if (live.hasEnded) return;
      else await live.change(reader);
    }
  }

  /** Resolves when the reply is no longer being written, with its row; null when the time is over or the row is gone. */
  async end({ conversationId, replyId }: Followed, millis: number): Promise<MessageInConversation | null> {
    const patience = AbortSignal.timeout(Math.max(0, Math.floor(millis)));
    for (let tries = 0; ; tries++) {
      const found = await this.queries.execute(new MessageById(conversationId, replyId));
      if (found?.message.status !== 'processing') return found;
      if (patience.aborted) return null;
      const live = this.live.of(replyId);
      if (!live) {
        await pause(Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** tries), undefined, { signal: patience }).catch(() => undefined);
      } else while (!live.hasEnded && !patience.aborted) await live.change(patience);
    }
  }

  private async *unfinished(followed: Followed, at: StreamPosition | null, reader: AbortSignal): AsyncGenerator<Told> {
    if (this.live.of(followed.replyId)) return yield* this.here(followed, at, reader);
    const worker = await this.queries.execute(new WorkerOf(followed.replyId));
    if (worker !== null) yield* this.others.follow(worker, followed, at, reader);
  }

  private async *finished(
    followed: Followed,
    found: MessageInConversation | null,
    after: StreamPosition | null,
  ): AsyncGenerator<StreamEvent> {
    const { conversationId: conversation_id, replyId: message_id } = followed;
    const claim = found?.message.claim ?? message_id;
    let at = beginningOf(claim);
    if (after?.claim === claim) at = after;
    else yield told('start', at, { conversation_id, message_id }).told;
    if (!found) return yield told('error', at, { code: 'message_not_found', message: 'This reply was erased.' }).told;
    const texts = await this.stored(found.message);
    for (let piece = nextPiece(texts, at); piece; piece = nextPiece(texts, at)) {
      ({ at } = piece);
      yield piece.told;
    }
    const { error, stop_reason = 'end_turn', usage, cost_nano_dollars = 0 } = found.message;
    if (error) return yield told('error', at, error).told;
    for (const chunk of citedIn(texts.text.toString(), await this.opened.usedChunks(found.message)).slice(at.citations)) {
      at = { ...at, citations: at.citations + 1 };
      yield told('citation', at, chunk).told;
    }
    yield told('done', at, { message_id, stop_reason, usage: usage ? usageOf(usage) : null, cost: dollars(cost_nano_dollars) }).told;
  }

  private async stored({ content, reasoning }: MessageRow): Promise<Texts> {
    const texts = { text: new GrowingText(), reasoning: new GrowingText() };
    texts.text.add((await this.opened.text(content)) ?? '');
    texts.reasoning.add((await this.opened.text(reasoning)) ?? '');
    return texts;
  }
}

/** The reasoning comes first, as models produce it. Null where there is no more. */
function nextPiece({ text, reasoning }: Texts, at: StreamPosition): Told | null {
  const thought = at.reasoning < reasoning.length ? reasoning.from(at.reasoning, LONGEST_PIECE) : '';
  if (thought !== '') return told('reasoning', { ...at, reasoning: at.reasoning + thought.length }, { text: thought });
  const piece = at.text < text.length ? text.from(at.text, LONGEST_PIECE) : '';
  return piece === '' ? null : told('delta', { ...at, text: at.text + piece.length }, { text: piece });
}

/** The chunks that the text refers to, in the order of their ranks. */
const citedIn = (text: string, chunks: readonly UsedChunk[] | null): UsedChunk[] =>
  (chunks ?? []).filter(({ rank }) => text.includes(markerOf(rank)));

const usageOf = (usage: NonNullable<MessageRow['usage']>) => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  estimated: usage.estimated,
});
