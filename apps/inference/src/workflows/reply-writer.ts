import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Sealed, type Subject, Vault } from '@parlance/privacy';
import { Clock, LOGGER } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { Catalogue } from '../adapters/catalogue.ts';
import { type Knowledge, type Prompt, type Usage, withMarkersOf } from '@parlance/chat-models';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import type { UsedChunks } from '../domain/conversation-events.ts';
import { QuestionOf } from '../projections/owed-replies.ts';
import { type Question, ReplyPrompt } from './reply-prompt.ts';

/** How long a worker has for a reply before another may take it over. */
export const LEASE_MILLIS = 10_000;

/** A reply that this process has claimed. */
export interface ClaimedReply {
  readonly conversationId: string;
  readonly replyId: string;
  readonly claim: string;
}

interface Generated {
  readonly text: string;
  readonly usage: Usage;
}

/** Another worker has the claim and ends the reply, or the conversation was erased: nothing is left to do. */
const isOver = (error: unknown) => error instanceof Refusal && (error.code === 'claim_lost' || error.code === 'reply_is_over');

/** Writes one claimed reply and ends it, as completed or as failed. */
@Injectable()
export class ReplyWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly prompts: ReplyPrompt,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Without a question, reads it from the rows. Never rejects: a reply that could not be stored is taken over when its lease ends. */
  async write(reply: ClaimedReply, question?: Question): Promise<void> {
    try {
      const asked = question ?? (await this.questionOf(reply));
      if (asked) await RequestContext.run(contextOf(asked), () => this.answer(reply, asked));
    } catch (error) {
      const { conversationId, replyId } = reply;
      this.log.error({ err: error, conversationId, replyId }, 'a reply could not be stored; it is taken over when its lease ends');
    }
  }

  private async answer(reply: ClaimedReply, question: Question): Promise<void> {
    const { conversationId, replyId, claim } = reply;
    const { userId, model } = question;
    const deadline = AbortSignal.timeout(LEASE_MILLIS);
    try {
      const prompt = await this.prompts.of(conversationId, question);
      const { text, usage } = await this.generate(model, prompt, deadline);
      const subject = conversationSubject(conversationId, userId);
      const content = await this.vault.seal(subject, cited(text, prompt.knowledge));
      const usedChunks = await this.usedChunks(subject, prompt.knowledge);
      const costNanoDollars = this.catalogue.cost(model, usage, this.clock.now());
      await this.command(conversationId, { type: 'CompleteReply', replyId, claim, content, usage, costNanoDollars, usedChunks });
    } catch (error) {
      await this.fail(reply, error);
    }
  }

  /** `signal`: of the whole lease, since a reply that ends later is refused. */
  private async generate(model: string, prompt: Prompt, signal: AbortSignal): Promise<Generated> {
    // Databases and services took all the time. Another try may do better, and has cost nothing.
    if (signal.aborted) throw refuse('unavailable', 'lease_ended', 'The lease of this reply ended before the model was asked.');
    // A model that ignores the signal must not keep its place among the replies in hand.
    const timedOut = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return Promise.race([this.collect(model, prompt, signal), timedOut]);
  }

  private async collect(model: string, prompt: Prompt, signal: AbortSignal): Promise<Generated> {
    let text = '';
    for await (const part of this.catalogue.model(model).chat.generate(prompt, signal)) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'end') return { text, usage: part.usage };
    }
    throw refuse('conflict', 'generation_failed', 'The model broke off its answer.');
  }

  private async usedChunks(subject: Subject, knowledge: Knowledge | null): Promise<UsedChunks | null> {
    if (!knowledge?.showsSources || knowledge.chunks.length === 0) return null;
    const { chunks } = knowledge;
    const sourceIds = [...new Set(chunks.map(({ source_id }) => source_id))];
    return { content: await this.vault.sealJson(subject, chunks), sourceIds };
  }

  private async fail({ conversationId, replyId, claim }: ClaimedReply, error: unknown): Promise<void> {
    if (isOver(error)) return;
    // A database or a service is unavailable: the reply is written again when the lease has ended.
    if (isTransient(error)) throw error;
    this.log.warn({ err: error, replyId }, 'a reply failed');
    const code = error instanceof Refusal ? error.code : 'generation_failed';
    const reason = error instanceof Refusal ? error.message : 'The model gave no answer.';
    await this.command(conversationId, { type: 'FailReply', replyId, claim, code, reason }).catch((refusal: unknown) => {
      if (!isOver(refusal)) throw refusal;
    });
  }

  /** Null when its rows are gone. */
  private async questionOf(reply: ClaimedReply): Promise<Question | null> {
    const asked = await this.queries.execute(new QuestionOf(reply.conversationId, reply.replyId));
    if (!asked) return null;
    try {
      const text = await this.vault.open(asked.content as Sealed);
      if (text === null) throw refuse('conflict', 'conversation_erased', 'This conversation was erased.');
      return { ...asked, text, eventId: null };
    } catch (error) {
      await this.fail(reply, error);
      return null;
    }
  }

  private command(conversationId: string, command: InstanceType<typeof ExecuteConversation>['command']) {
    return this.commands.execute(new ExecuteConversation(conversationId, command));
  }
}

/** The text with no marker but those of its sources. A text that was written without knowledge is left as it is. */
function cited(text: string, knowledge: Knowledge | null): string {
  if (!knowledge) return text;
  return withMarkersOf(text, new Set(knowledge.showsSources ? knowledge.chunks.map(({ rank }) => rank) : []));
}

/** The user is recorded as the cause of the reply, without the user's rights. */
function contextOf({ userId, eventId }: Question): RequestContext {
  const context = RequestContext.current() ?? RequestContext.background();
  return { ...context, causationId: eventId, caller: { userId, groups: [], sessionId: null, kind: 'system' } };
}
