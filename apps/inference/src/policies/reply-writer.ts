import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import type { Sealed, Vault } from '@parlance/privacy';
import { Clock, newId, passes, Streams } from '@parlance/service-kit';
import type { Logger } from 'pino';
import type { Catalogue } from '../adapters/catalogue.ts';
import type { Turn } from '../adapters/chat-model.ts';
import { ExecuteConversation } from '../commands/conversation.ts';
import { type ConversationCommand, type ConversationEvent, conversationStream } from '../domain/conversation.ts';
import { transcript } from '../domain/transcript.ts';

/** How long a worker has for a reply before another may take it over. */
const leaseMillis = 10_000;

/** The conversation's content is sealed under a key of its own, which lies within its user's. */
export const conversationSubject = (conversationId: string, userId: string) => ({
  id: `conversation:${conversationId}`,
  within: `user:${userId}`,
});

/** The claim went to another, who ends the reply, or the conversation was erased: nothing to say. */
const isOver = (error: unknown) => error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'reply_is_over');

/**
 * Writes replies. Taking one on is quick and recorded, so that the delivery which told of it is done with; the writing
 * goes on behind it, and is taken over by somebody else when the lease runs out.
 */
@Injectable()
export class ReplyWriter {
  private readonly inHand = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Claims the reply and begins to write it. Somebody else's claim, or an end that came before, is no error. */
  async take(conversationId: string, replyId: string): Promise<void> {
    if (this.stopping.signal.aborted) return;
    await this.keep(this.claim(conversationId, replyId));
  }

  /** For a graceful end: takes nothing on any more and waits for what is being written. */
  async stop(): Promise<void> {
    this.stopping.abort();
    while (this.inHand.size > 0) await Promise.allSettled(this.inHand);
  }

  private keep(work: Promise<void>): Promise<void> {
    const kept = work.finally(() => this.inHand.delete(kept));
    this.inHand.add(kept);
    return kept;
  }

  private async claim(conversationId: string, replyId: string): Promise<void> {
    const now = this.clock.now();
    const claim = newId();
    try {
      await this.command(conversationId, { type: 'ClaimReply', replyId, claim, now, leaseUntil: Instant.plus(now, leaseMillis) });
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') return;
      throw error;
    }
    void this.keep(
      this.write(conversationId, replyId, claim).catch((error: unknown) =>
        this.log.error({ err: error, conversationId, replyId }, 'a reply could not be stored; it is taken up again'),
      ),
    );
  }

  private async write(conversationId: string, replyId: string, claim: string): Promise<void> {
    const history: ConversationEvent[] = [];
    for await (const event of this.streams.history<ConversationEvent>(conversationStream(conversationId))) history.push(event);
    const asked = history.find((event) => event.type === 'MessageSubmitted' && event.replyId === replyId);
    if (asked?.type !== 'MessageSubmitted') return;
    try {
      const turns = await this.open(history, replyId);
      const { text, usage } = await this.catalogue.model(asked.model).chat.generate(turns, AbortSignal.timeout(leaseMillis));
      const content = await this.vault.seal(conversationSubject(conversationId, asked.userId), text);
      const costNanoDollars = this.catalogue.cost(asked.model, usage, this.clock.now());
      await this.command(conversationId, { type: 'CompleteReply', replyId, claim, content, usage, costNanoDollars });
    } catch (error) {
      await this.fail(conversationId, replyId, claim, error);
    }
  }

  private async fail(conversationId: string, replyId: string, claim: string, error: unknown): Promise<void> {
    if (isOver(error)) return;
    // Something is down that will be up again: with the lease run out, the reply is taken up once more.
    if (passes(error)) throw error;
    this.log.warn({ err: error, replyId }, 'a reply failed');
    const code = error instanceof Refusal ? error.code : 'generation_failed';
    const reason = error instanceof Refusal ? error.message : 'The model gave no answer.';
    await this.command(conversationId, { type: 'FailReply', replyId, claim, code, reason }).catch((refusal: unknown) => {
      if (!isOver(refusal)) throw refusal;
    });
  }

  private command(conversationId: string, command: ConversationCommand) {
    return this.commands.execute(new ExecuteConversation(conversationId, command));
  }

  private async open(history: readonly ConversationEvent[], replyId: string): Promise<readonly Turn[]> {
    const turns = await Promise.all(
      transcript(history, replyId).map(async ({ role, content }) => ({ role, text: await this.vault.open(content as Sealed) })),
    );
    return turns.flatMap(({ role, text }) => (text === null ? [] : [{ role, text }]));
  }
}
