import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Chunk } from '@parlance/chat-models';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock, LOGGER } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { Vault } from '@parlance/privacy';
import type { Logger } from 'pino';
import { type Reservation, settled } from '../../adapters/budgets.ts';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { SearchCharges } from '../../adapters/pricing/search-charges.ts';
import { CHARGED_WITHOUT_IMAGE } from '../../adapters/tools/create-image.ts';
import { definitionsOf, type OfferedTools, Toolbox } from '../../adapters/tools/toolbox.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import { mostTokensOfBytes } from '../../commands/prompt-tokens.ts';
import { type NextCall, ReplyReservations } from '../../commands/reply-reservations.ts';
import type { Charge } from '../../domain/conversation-events.ts';
import { MAX_TOOL_ROUNDS } from '../../domain/conversation-limits.ts';
import { messageKey } from '../../projections/messages/message-rows.ts';
import { ToolRoundsOf } from '../../projections/messages/tool-calls.ts';
import type { Generation } from '../writing/generation.ts';
import type { LiveReply } from '../live-replies.ts';
import { Remembering } from '../memory/remembering.ts';
import { callMark, marksOf, type OpenedCall, openedRounds, type OpenedRound, resultMark, turnsOf } from './opened-rounds.ts';
import { foundIn, numbered, searchResultText, withFoundTexts } from './found-texts.ts';
import { calledIn } from './made-calls.ts';
import type { PromptOfBot } from '../writing/reply-prompt.ts';
import { freeBytes, mostResultBytes } from './result-bytes.ts';
import { type ToolAnswer, firstBytes } from './tool-call.ts';
import { ToolImages } from './tool-images.ts';
import { ToolResults } from './tool-results.ts';
import type { ToolWork } from './tool-work.ts';

const HOUR_MILLIS = 3_600_000;
/** How long to wait before budgets that could not be reached are tried again. */
const RESERVED_AGAIN_MILLIS = 1_000;

const LAST_ROUND = 'No more tools can be called for this reply. Answer now with the results you have.';

/** Thrown when a reply waits for the user's decision. No worker has the reply until then. */
export class ApprovalAwaited extends Error {
  constructor() {
    super('the reply awaits an approval');
    this.name = 'ApprovalAwaited';
  }
}

/**
 * The rounds of a reply: a model call that ends with tool calls, then those calls. A round is recorded with its charge before a tool runs, and
 * each result when it arrives. So a worker that takes over the reply continues after the last record. A call that may change something is not
 * repeated.
 */
@Injectable()
export class ToolRounds {
  private readonly approvalMillis: number;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly toolbox: Toolbox,
    private readonly remembering: Remembering,
    private readonly results: ToolResults,
    private readonly images: ToolImages,
    private readonly reservations: ReplyReservations,
    private readonly catalogue: Catalogue,
    private readonly searches: SearchCharges,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    { toolApprovalHours }: Config,
  ) {
    this.approvalMillis = toolApprovalHours * HOUR_MILLIS;
  }

  /** The bot's tools that the user may use now, and the tool for the user's memory. */
  async offered(prompt: PromptOfBot, work: ToolWork): Promise<OfferedTools> {
    const { bot } = prompt;
    const { live, question } = work;
    const user = {
      userId: question.userId,
      ownerId: bot?.ownerId ?? null,
      configuredBy: bot?.configuredBy ?? null,
      ...(question.apiId !== undefined && { apiId: question.apiId }),
    };
    return this.remembering.with(await this.toolbox.offered(bot?.tools ?? [], user, live.signal), prompt, work);
  }

  /** For a reply that another worker has begun: restores what that worker has recorded. */
  async restore(work: ToolWork): Promise<void> {
    const { live, question } = work;
    work.rounds = await this.recorded(live);
    if (work.rounds.length > 0) live.text.add(question.continues);
    for (const round of work.rounds) {
      if (round.isShown) {
        live.text.add(round.text);
        live.reasoning.add(round.reasoning);
      }
      live.marks.push(...marksOf(round));
    }
    live.notifyReaders();
  }

  /** The prompt of the next model call. */
  promptOf(prompt: PromptOfBot, { rounds }: ToolWork, tools: OfferedTools): PromptOfBot {
    if (tools.size === 0 && rounds.length === 0) return prompt;
    // Providers refuse calls that follow unsigned reasoning, and the signatures are not stored. So the model reasons only before its first call.
    const parameters = rounds.length === 0 ? prompt.parameters : { ...prompt.parameters, reasoningTokens: null };
    const turns = turnsOf(rounds);
    const results = turns.at(-1)?.results ?? [];
    if (rounds.length === MAX_TOOL_ROUNDS)
      turns.splice(-1, 1, { ...turns.at(-1)!, results: results.map((each) => ({ ...each, text: `${each.text}\n\n${LAST_ROUND}` })) });
    return { ...prompt, parameters, turns: [...prompt.turns, ...turns], ...(tools.size > 0 && { tools: definitionsOf(tools) }) };
  }

  /** Whether calls of the last round are without results. */
  isOpen({ rounds }: ToolWork): boolean {
    return rounds.at(-1)?.calls.some(({ outcome }) => outcome === null) ?? false;
  }

  /**
   * Records a model call that has ended with tool calls, its charge, and where the next one is reserved. Throws `budget_exceeded` (limited) if
   * the budget does not allow another model call. Then nothing is recorded.
   */
  async record(work: ToolWork, generation: Generation, tools: OfferedTools, failedCalls: readonly Charge[]): Promise<void> {
    const { live, question, subject, rounds } = work;
    const { conversationId, replyId, claim } = live.reply;
    const round = rounds.length + 1;
    const model = generation.begun?.model ?? question.model;
    const usage = await generation.usage(this.catalogue.windowOf(model));
    const costNanoDollars = await this.catalogue.cost(model, usage, this.clock.now());
    const charge = { chargeId: `${replyId}-${round}`, purpose: 'chat', model, usage, costNanoDollars } as const;
    const opened = calledIn(generation, work, tools, Instant.plus(this.clock.now(), this.approvalMillis));
    const { text, reasoning, isShown, textAt, reasoningAt, approvalUntil } = opened;
    const calls = await Promise.all(
      opened.calls.map(async ({ callId, name, input, fault, salt, hash, approval }) => ({
        callId,
        name,
        hash,
        input: await this.vault.sealJson(subject, { input, fault, salt }),
        ...(approval && { needsApproval: true as const }),
      })),
    );
    const found = round === 1 ? foundIn(work.prompt) : null;
    const said = await this.vault.sealJson(subject, { text, reasoning, isShown, ...(found && { found }) });
    const tries = generation.begun?.tries ?? 1;
    // The next prompt consists of this prompt, the output of this call, and results that are not known yet.
    const results = mostTokensOfBytes(mostResultBytes(rounds, opened.calls.length));
    const promptTokens = usage.inputTokens + usage.outputTokens + results;
    const reserved = await this.reserveNext(live, { replyId, model: question.model, promptTokens });
    // Nothing is appended, so the reservation is not used.
    if (live.signal.aborted) reserved?.release();
    live.signal.throwIfAborted();
    const facts = { replyId, claim, round, said, textAt, reasoningAt, calls, charge, failedCalls };
    const command = {
      type: 'CallTools',
      ...facts,
      ...(approvalUntil !== null && { approvalUntil }),
      ...(tries > 1 && { tries }),
      ...(reserved && { budgets: reserved.marks }),
    } as const;
    const append = this.commands.execute(new ExecuteConversation(conversationId, command));
    await (reserved ? settled(reserved, append) : append);
    work.rounds = [...rounds, { ...opened, ...(found && { found }) }];
    live.marks.push(...opened.calls.map((call) => callMark(opened, call)));
    live.notifyReaders();
  }

  /**
   * Waits until the budgets can be reached, because otherwise the finished model call cannot be recorded, and another worker would repeat it.
   */
  private async reserveNext({ reply: { conversationId }, signal }: LiveReply, next: NextCall): Promise<Reservation | null> {
    for (;;) {
      try {
        return await this.reservations.reserveNext(conversationId, next);
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.log.warn({ err: error, replyId: next.replyId }, 'the next model call of a reply could not be reserved; will retry');
      }
      await pause(RESERVED_AGAIN_MILLIS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  /** Gets the results of the last round. Throws `ApprovalAwaited`, or the signal's reason. */
  async run(work: ToolWork, tools: OfferedTools): Promise<void> {
    const { live } = work;
    const { replyId, claim } = live.reply;
    for (;;) {
      const appending = { last: Promise.resolve() };
      const open = work.rounds.at(-1)!.calls.filter(({ outcome, approval }) => outcome === null && approval !== 'pending');
      await Promise.all(open.map((call) => this.answer(work, call, tools, appending)));
      if (!this.isOpen(work)) return;
      const { state } = await this.command(live, { type: 'AwaitApproval', replyId, claim, now: this.clock.now() });
      const reply = state.running[replyId];
      if (reply?.tools?.isAwaiting) throw new ApprovalAwaited();
      if (reply?.isCancelled) live.stop('cancelled');
      live.signal.throwIfAborted();
      // The user has decided in the meantime.
      work.rounds = await this.recorded(live);
    }
  }

  private async answer(work: ToolWork, call: OpenedCall, tools: OfferedTools, appending: { last: Promise<void> }): Promise<void> {
    const { live } = work;
    const answered = await this.results.of(work, call, tools);
    live.signal.throwIfAborted();
    // One after another, so that readers get the results in the order of the log.
    const append = appending.last.then(() => this.store(work, call, answered));
    appending.last = append.catch(() => undefined);
    await append;
  }

  private async store(work: ToolWork, call: OpenedCall, answered: ToolAnswer): Promise<void> {
    const { live, subject } = work;
    const { knowledge } = answered;
    const { text: answer, outcome, files } = await this.withImages(work, call, answered);
    const { numbers, added } = knowledge ? numbered(knowledge, this.textsOf(work)) : { numbers: [], added: null };
    const whole = knowledge ? searchResultText(numbers) : answer;
    const charges = knowledge ? await this.searches.of(knowledge, call.callId) : [];
    const { replyId, claim } = live.reply;
    const text = firstBytes(whole, freeBytes(work.rounds));
    const kept = { text, ...(added && { found: added }) };
    const result = await this.vault.sealJson(subject, kept);
    await this.command(live, { type: 'AnswerToolCall', replyId, claim, callId: call.callId, result, outcome, charges, files });
    const round = work.rounds.at(-1)!;
    const after = { ...call, ...kept, outcome };
    const calls = round.calls.map((each) => (each.callId === call.callId ? after : each));
    work.rounds = [...work.rounds.slice(0, -1), { ...round, calls, answered: [...round.answered, call.callId] }];
    live.marks.push(resultMark(round, after));
    live.notifyReaders();
  }

  /** The answer with its images stored. A call whose images cannot be shown has failed, although it was charged. */
  private async withImages({ live, subject }: ToolWork, { callId }: OpenedCall, { text, outcome, images = [] }: ToolAnswer) {
    if (images.length === 0) return { text, outcome, files: [] };
    const { conversationId, replyId } = live.reply;
    const files = await this.images.stored({ conversationId, messageId: replyId }, callId, images, subject);
    return files ? { text, outcome, files } : { text: CHARGED_WITHOUT_IMAGE, outcome: 'failed' as const, files: [] };
  }

  /** The texts that are in the prompt so far. */
  private textsOf({ prompt, rounds }: ToolWork): readonly Chunk[] {
    return (prompt && withFoundTexts(prompt, rounds).knowledge?.chunks) ?? [];
  }

  private async recorded({ reply: { conversationId, replyId } }: LiveReply): Promise<OpenedRound[]> {
    const rows = await this.queries.execute(new ToolRoundsOf(messageKey(conversationId, replyId)));
    return [...((await openedRounds(this.vault, rows)) ?? [])];
  }

  private command({ reply }: LiveReply, command: InstanceType<typeof ExecuteConversation>['command']) {
    return this.commands.execute(new ExecuteConversation(reply.conversationId, command));
  }
}
