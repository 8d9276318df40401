import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Sealed, Shredded, Vault } from '@parlance/privacy';
import { Clock, LOGGER } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { Config } from '@parlance/config';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import type { Usage, GuardrailUnits } from '@parlance/chat-models';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import { conversationSubject } from '../../commands/conversation-subject.ts';
import type { StopReason } from '../../domain/conversation-events.ts';
import { ownerKey } from '../../domain/conversation-owner.ts';
import { QuestionOf } from '../../projections/messages/pending-replies.ts';
import type { ClientTerms } from '../client-terms.ts';
import { newTexts } from '../guardrails/new-texts.ts';
import { endedBy } from '../guardrails/blocked-message.ts';
import { surfaceOf, TextGuardrails } from '../guardrails/text-guardrails.ts';
import { ReplyCharges } from './reply-charges.ts';
import { isOver, type Work } from './reply-work.ts';
import type { OfferedTools } from '../../adapters/tools/toolbox.ts';
import { Generation, LONGEST_REPLY_BYTES } from './generation.ts';
import { type ClaimedReply, LiveReplies, type LiveReply, type StopCause, Stopped, untilStopped } from '../live-replies.ts';
import { failureOf } from './reply-failures.ts';
import { ReplyGuard } from './reply-guard.ts';
import { bytesOf, type Question, ReplyPrompt } from './reply-prompt.ts';
import { usedChunks as usedChunksOf } from '../used-chunks.ts';
import { provenanceOf } from './reply-provenance.ts';
import { withFoundTexts } from '../tools/found-texts.ts';
import { ApprovalAwaited, ToolRounds } from '../tools/tool-rounds.ts';
import { MAX_TOOL_ROUNDS } from '../../domain/conversation-limits.ts';

/** Whether the log refused because the conversation is being erased. */
const isGone = (error: unknown): boolean => error instanceof Refusal && error.code === 'reply_is_over';

/** A reply that is stopped for one of these causes is stored with its text so far. */
const STORED_AS: Readonly<Partial<Record<StopCause, StopReason>>> = { cancelled: 'cancelled', too_long: 'max_tokens' };

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

/** Writes one claimed reply and ends it: completed, stopped with its text so far, or failed. */
@Injectable()
export class ReplyWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly prompts: ReplyPrompt,
    private readonly guard: ReplyGuard,
    private readonly textGuardrails: TextGuardrails,
    private readonly tools: ToolRounds,
    private readonly catalogue: Catalogue,
    private readonly replies: LiveReplies,
    private readonly clock: Clock,
    private readonly charges: ReplyCharges,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Without `question`, the message is read from the read model. Never rejects: a reply that could not be stored is taken over when its lease ends. */
  async write(reply: ClaimedReply, question?: Question): Promise<void> {
    const live = this.replies.begin(reply, this.clock.now());
    try {
      const answered = question ?? (await this.questionOf(reply));
      if (answered) await RequestContext.run(contextOf(answered), () => this.answer(live, answered, question === undefined));
    } catch (error) {
      const { conversationId, replyId } = reply;
      this.log.error({ err: error, conversationId, replyId }, 'a reply could not be stored; it will be taken over when its lease ends');
    } finally {
      this.replies.end(live);
    }
  }

  private async answer(live: LiveReply, question: Question, isTakenOver: boolean): Promise<void> {
    const subject = conversationSubject(live.reply.conversationId, question.userId);
    const work: Work = {
      live,
      question,
      subject,
      begunAt: performance.now(),
      generation: null,
      rounds: [],
      recording: null,
      isSearchCharged: false,
      prompt: null,
      promptAt: null,
      checked: null,
      guardrails: this.textGuardrails.begin(surfaceOf(question.apiId)),
      units: [],
    };
    if (isTakenOver) await this.tools.restore(work);
    try {
      await untilStopped(live, () => this.produce(work));
      await this.complete(work, work.generation!.stopReason);
    } catch (error) {
      if (error instanceof ApprovalAwaited) return;
      await work.recording?.catch(() => undefined);
      await this.end(work, error).catch((failure: unknown) => {
        if (failure instanceof Shredded || isGone(failure)) return this.chargeErased(work, error);
        if (!isOver(failure)) throw failure;
      });
    } finally {
      work.prompt?.release();
      this.textGuardrails.count(work.guardrails?.verdicts() ?? []);
    }
  }

  private async produce(work: Work): Promise<void> {
    const { live, question } = work;
    if (Buffer.byteLength(question.continues) >= LONGEST_REPLY_BYTES)
      throw refuse('conflict', 'reply_too_long', 'This reply has 1 MiB of text and cannot be continued. Send a message instead.');
    const prompt = await this.prompts.of(live.reply.conversationId, question, live.signal);
    work.prompt = prompt;
    // The work may have ended while the files were loaded. Then nothing else releases their memory.
    if (live.signal.aborted) prompt.release();
    live.signal.throwIfAborted();
    live.reply.slot?.resize(bytesOf(prompt));
    await work.guardrails?.check(newTexts(question, prompt));
    work.promptAt = performance.now();
    const guardrail = prompt.bot?.guardrail ?? null;
    const model = this.catalogue.answering(question.model, ownerKey(question), prompt.bot?.activeModels);
    const tools = await this.tools.offered(prompt, work);
    for (;;) {
      if (this.tools.isOpen(work)) await this.tools.run(work, tools);
      const continues = work.rounds.length === 0 ? question.continues : '';
      work.prompt = withFoundTexts(prompt, work.rounds);
      const next = this.tools.promptOf(work.prompt, work, tools);
      const guarded = (await work.guardrails?.begin(next, guardrail !== null)) ?? null;
      const generation = new Generation(live, next, continues, guardrail !== null, this.stripsLinks(question), guarded);
      work.generation = generation;
      await generation.run(model);
      if (live.signal.aborted || generation.calls.length === 0) break;
      if (work.rounds.length === MAX_TOOL_ROUNDS) {
        generation.stopReason = 'max_tool_rounds';
        break;
      }
      work.recording = this.record(work, generation, tools);
      await work.recording;
    }
    if (!guardrail) return;
    const { blockedBy = null } = work.guardrails ?? {};
    if (blockedBy !== null) return work.generation.release(endedBy(blockedBy, false), { withReasoning: false });
    const onUnits = (units: GuardrailUnits) => void work.units.push(units);
    const answered = { prompt: work.prompt, question: question.text, generation: work.generation!, onUnits };
    work.checked = await this.guard.check(guardrail, answered, live.signal);
  }

  /** Records the round with its charge, so that the model call is not charged again. */
  private async record(work: Work, generation: Generation, tools: OfferedTools): Promise<void> {
    await this.tools.record(work, generation, tools, await this.charges.of(work, generation.begun?.charges ?? []));
    work.generation = null;
    work.isSearchCharged = true;
  }

  private stripsLinks({ apiId }: Question): boolean {
    const { stripUncitedLinks } = this.config;
    return stripUncitedLinks === 'always' || (stripUncitedLinks === 'published' && apiId !== undefined);
  }

  private async complete(work: Work, stopReason: StopReason): Promise<void> {
    const { live, question, subject, generation, prompt, checked, guardrails } = work;
    const { conversationId, replyId, claim } = live.reply;
    const model = generation?.begun?.model ?? question.model;
    // A reply that was stopped before the model was called costs nothing.
    const usage = generation?.wasCalled ? await generation.usage(this.catalogue.windowOf(model)) : NO_USAGE;
    const content = await this.vault.seal(subject, generation || work.rounds.length > 0 ? live.text.toString() : question.continues);
    const reasoning = live.reasoning.length > 0 ? await this.vault.seal(subject, live.reasoning.toString()) : null;
    // A replacement text is not based on the chunks.
    const usedChunks =
      checked?.verdict === 'blocked' ? null : await usedChunksOf(this.vault, subject, prompt?.knowledge ?? null, guardrails);
    const original = guardrails?.original ?? checked?.original ?? null;
    const blocked = original === null ? null : await this.vault.seal(subject, original);
    const { cost: costNanoDollars, from } = await this.catalogue.priced(model, usage, this.clock.now());
    const provenance = provenanceOf(work, from);
    const failedCalls = await this.charges.of(work, generation?.begun?.charges ?? []);
    const calls = { ...(model !== question.model && { fallback: model }), ...(failedCalls.length > 0 && { failedCalls }) };
    const stored = { content, usage, costNanoDollars, usedChunks, stopReason, reasoning, provenance, blocked, ...calls };
    await this.command(conversationId, { type: 'CompleteReply', replyId, claim, ...stored });
  }

  /** Ends the reply after an error of the model, of a store or of a service, or after a stop. */
  private async end(work: Work, error: unknown): Promise<void> {
    if (!(error instanceof Stopped)) return this.fail(work, error);
    const stopReason = STORED_AS[error.because];
    if (error.because === 'out_of_time') return this.fail(work, error);
    if (error.because === 'lost') return this.chargeErased(work, error);
    if (stopReason === undefined) return;
    try {
      await this.complete(work, stopReason);
    } catch (failure) {
      await this.fail(work, failure);
    }
  }

  private async fail(work: Work, error: unknown): Promise<void> {
    if (isOver(error)) throw error;
    // A database or a service is unavailable: the reply is written again when the lease has ended.
    if (isTransient(error)) throw error;
    const { conversationId, replyId, claim } = work.live.reply;
    this.log.warn({ err: error, replyId }, 'a reply failed');
    const partial = await this.partial(work, error);
    const failedCalls = await this.charges.ofFailed(work, error);
    const { live, rounds, subject } = work;
    // Earlier model calls are already charged, and their text stays.
    const written = partial || rounds.length === 0 ? null : await this.vault.seal(subject, live.text.toString());
    const failure = { replyId, claim, ...failureOf(error), partial, written, ...(failedCalls.length > 0 && { failedCalls }) };
    await this.command(conversationId, { type: 'FailReply', ...failure });
  }

  /** For a conversation that is being erased: records the cost of the calls. Records nothing if another worker has the reply. */
  private async chargeErased(work: Work, error: unknown): Promise<void> {
    const { conversationId, replyId, claim } = work.live.reply;
    const charges = await this.charges.ofErased(work, error);
    await this.command(conversationId, { type: 'ChargeErasedReply', replyId, claim, charges }).catch((refusal: unknown) => {
      if (!isOver(refusal)) throw refusal;
    });
  }

  /** The text and the cost of a broken stream. Null if the provider charges nothing. */
  private async partial(work: Work, error: unknown) {
    const call = await this.charges.ofLastCall(work, error);
    if (!call) return null;
    return { content: await this.vault.seal(work.subject, work.live.text.toString()), ...call };
  }

  /** Null if its rows were removed. */
  private async questionOf({ conversationId, replyId, claim }: ClaimedReply): Promise<Question | null> {
    const question = await this.queries.execute(new QuestionOf(conversationId, replyId));
    if (!question) return null;
    const text = await this.vault.open(question.content as Sealed);
    const continues = question.continues === null ? '' : await this.vault.open(question.continues as Sealed);
    const terms = question.terms === undefined ? null : await this.vault.openJson<ClientTerms>(question.terms as Sealed);
    if (text !== null && continues !== null) return { ...question, text, continues, terms, eventId: null };
    const erased = refuse('conflict', 'conversation_erased', 'This conversation was erased.');
    await this.failed(conversationId, { replyId, claim, code: erased.code, reason: erased.message });
    return null;
  }

  private async failed(
    conversationId: string,
    failure: Omit<Extract<InstanceType<typeof ExecuteConversation>['command'], { type: 'FailReply' }>, 'type'>,
  ): Promise<void> {
    await this.command(conversationId, { type: 'FailReply', ...failure }).catch((refusal: unknown) => {
      if (!isOver(refusal)) throw refusal;
    });
  }

  private command(conversationId: string, command: InstanceType<typeof ExecuteConversation>['command']) {
    return this.commands.execute(new ExecuteConversation(conversationId, command));
  }
}

/** The user is recorded as the cause of the reply, without the user's rights. */
function contextOf({ userId, eventId }: Question): RequestContext {
  const context = RequestContext.current() ?? RequestContext.background();
  return { ...context, causationId: eventId, caller: { userId, groups: [], sessionId: null, kind: 'system' } };
}
