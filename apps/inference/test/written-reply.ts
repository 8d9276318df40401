import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { MongoBulkWriteError, MongoNetworkError } from 'mongodb';
import type { Vault } from '@parlance/privacy';
import type { Clock } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import type { Config, GuardrailPolicy } from '@parlance/config';
import type { Catalogue } from '../src/adapters/pricing/catalogue.ts';
import { Guardrail } from '../src/adapters/guardrail.ts';
import type { Chunk, Produced, Prompt, Routed, Turn, Usage } from '@parlance/chat-models';
import type { ExecuteConversation } from '../src/commands/aggregates.ts';
import { QuestionOf } from '../src/projections/messages/pending-replies.ts';
import type { BotKnowledge } from '../src/adapters/bot-knowledge.ts';
import type { FromBot } from '../src/adapters/from-bot.ts';
import type { ConversationCommand } from '../src/domain/conversation-commands.ts';
import { LiveReplies } from '../src/workflows/live-replies.ts';
import type { PromptFilesOf } from '../src/workflows/files/prompt-files.ts';
import type { ReplyMemory } from '../src/workflows/memory/reply-memory.ts';
import type { ProjectInstructions } from '../src/workflows/projects/project-instructions.ts';
import { type Question, ReplyPrompt } from '../src/workflows/writing/reply-prompt.ts';
import type { SearchAndGuardrailCharges } from '../src/workflows/writing/search-and-guardrail-charges.ts';
import { ReplyGuard } from '../src/workflows/writing/reply-guard.ts';
import { TextGuardrails } from '../src/workflows/guardrails/text-guardrails.ts';
import type { ToolRounds } from '../src/workflows/tools/tool-rounds.ts';
import { ReplyCharges } from '../src/workflows/writing/reply-charges.ts';
import { ReplyWriter } from '../src/workflows/writing/reply-writer.ts';

export const NO_FILES = { load: async () => ({ byId: new Map(), release: () => undefined }) } as unknown as PromptFilesOf;
export const reply = { userId: 'ann', conversationId: 'c', replyId: 'r', claim: 'one', leaseUntil: Instant.ofMillis(10_000) };
export const question: Question = {
  userId: 'ann',
  botId: null,
  model: 'm',
  parentId: 'p',
  text: 'why',
  continues: '',
  wantsReasoning: false,
  eventId: 'e',
};
export const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

export const CONTEXT_WINDOW = 1_000;

/** The rounds of bots without tools. */
const withoutProjects = { of: async () => '' } as unknown as ProjectInstructions;

const withoutMemory = { of: async () => ({ ids: [], texts: [], mayRemember: false }) } as unknown as ReplyMemory;

export const withoutTools = {
  restore: async () => undefined,
  offered: async () => new Map(),
  isOpen: () => false,
  promptOf: (prompt: Prompt) => prompt,
} as unknown as ToolRounds;

export interface Parts {
  readonly generate?: (prompt: Prompt) => Promise<{ text: string; usage: typeof usage }>;
  /** Replaces the whole model. */
  readonly produce?: (signal: AbortSignal) => AsyncIterable<Routed>;
  /** Whether the provider has no free turn for the call. */
  readonly isQueued?: boolean;
  readonly search?: (...query: string[]) => Promise<FromBot>;
  readonly command?: () => Promise<void>;
  readonly open?: (text: string) => Promise<string | null>;
  readonly seal?: (text: string) => Promise<string>;
  /** The row of the question. */
  readonly sealedQuestion?: object | null;
  readonly files?: Pick<PromptFilesOf, 'load'>;
  /** The key `guardrails` of the configuration. */
  readonly policies?: readonly GuardrailPolicy[];
}

export function writing({
  generate,
  produce,
  isQueued = false,
  search,
  command,
  open = async (text) => `open ${text}`,
  seal = async (text) => text,
  sealedQuestion = null,
  files = NO_FILES,
  policies = [],
}: Parts = {}) {
  const observed = {
    commands: [] as string[],
    ends: [] as ConversationCommand[],
    searches: [] as string[][],
    prompt: {} as Prompt,
    turns: [] as readonly Turn[],
    contexts: [] as unknown[],
    verdicts: [] as string[][],
    errors: 0,
    calls: 0,
  };
  const vault = {
    open,
    openAllOften: async (texts: readonly string[]) => Promise.all(texts.map((text) => open(text))),
    seal: async (_: unknown, text: string) => seal(text),
    sealJson: async (_: unknown, value: object) => JSON.stringify(value),
  };
  const queries = {
    execute: async (query: object) => (query instanceof QuestionOf ? sealedQuestion : [{ role: 'user', content: 'before' }]),
  } as unknown as QueryBus;
  const bots = {
    search: async (...searched: string[]) => {
      observed.searches.push(searched);
      return search!();
    },
  } as unknown as BotKnowledge;
  const live = new LiveReplies();
  const catalogue = {
    answering: () => ({
      generate: async function* (prompt: Prompt, signal: AbortSignal, onCall: () => void): AsyncGenerator<Routed> {
        observed.turns = prompt.turns;
        observed.prompt = prompt;
        observed.calls++;
        if (isQueued) await hangs();
        onCall();
        if (produce) return yield* produce(signal);
        const answer = generate ? await generate(prompt) : { text: 'because', usage };
        yield { type: 'text', text: answer.text };
        yield { type: 'end', stopReason: 'end_turn', usage: answer.usage, requestId: null };
      },
    }),
    windowOf: () => ({ contextWindow: CONTEXT_WINDOW, maxOutputTokens: null }),
    cost: (_: string, { outputTokens }: Usage) => outputTokens * 10,
    priced: async (_: string, { outputTokens }: Usage) => ({ cost: outputTokens * 10, from: null }),
  } as unknown as Catalogue;
  const clock = { now: () => Instant.ofMillis(0) } as Clock;
  const writer = new ReplyWriter(
    {
      execute: async ({ command: ended }: InstanceType<typeof ExecuteConversation>) => {
        observed.commands.push(ended.type);
        observed.ends.push(ended);
        const { caller, causationId } = RequestContext.current()!;
        observed.contexts.push([caller?.userId, caller?.groups, causationId]);
        await command?.();
      },
    } as unknown as CommandBus,
    queries,
    vault as unknown as Vault,
    new ReplyPrompt(queries, vault as unknown as Vault, bots, files as PromptFilesOf, withoutProjects, withoutMemory),
    new ReplyGuard(new Guardrail({ models: null } as Config)),
    new TextGuardrails({ guardrails: policies } as Config, { guardrail: (...verdict) => void observed.verdicts.push(verdict) }),
    withoutTools,
    catalogue,
    live,
    clock,
    new ReplyCharges(catalogue, { of: async () => [] } as unknown as SearchAndGuardrailCharges, clock),
    { stripUncitedLinks: 'published' } as Config,
    { warn: () => undefined, error: () => void observed.errors++ } as unknown as Logger,
  );
  return { writer, observed, live };
}

export const GUARDED_CHUNK: Chunk = {
  content: 'A refund takes fourteen days.',
  content_type: 'text',
  source: 'refunds.pdf',
  source_name: 'refunds.pdf',
  source_id: 's1',
  page_number: 2,
  heading: null,
  rank: 1,
  score: 0.5,
};
export const away = () => Promise.reject(new MongoBulkWriteError(new MongoNetworkError('connection closed') as never, {} as never));

/** Produces these parts, then continues with the given function. */
export const parts =
  (...all: readonly Routed[]) =>
  (then: (signal: AbortSignal) => Promise<void> = async () => undefined) =>
    async function* (signal: AbortSignal): AsyncGenerator<Routed> {
      yield* all;
      await then(signal);
    };
export const text = (its: string): Produced => ({ type: 'text', text: its });
export const reasoning = (its: string): Produced => ({ type: 'reasoning', text: its });
export const hangs = () => new Promise<never>(() => undefined);
export const obeys = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
