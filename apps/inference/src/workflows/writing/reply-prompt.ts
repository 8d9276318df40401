import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Sealed, Vault } from '@parlance/privacy';
import { BotKnowledge } from '../../adapters/bot-knowledge.ts';
import type { FromBot } from '../../adapters/from-bot.ts';
import { DEFAULT_PARAMETERS, type GenerationParameters, type Prompt, type Turn, type TurnFile } from '@parlance/chat-models';
import type { MessageFile, ReplyParameters } from '../../domain/conversation-events.ts';
import { type SealedTurn, Transcript } from '../../projections/transcript.ts';
import { bytesOfTerms, type ClientTerms, instructionUnder, parametersUnder } from '../client-terms.ts';
import { PromptFilesOf } from '../files/prompt-files.ts';
import { type MemoryUse, ReplyMemory, type UsedMemory } from '../memory/reply-memory.ts';
import { ProjectInstructions } from '../projects/project-instructions.ts';

/** The message that a reply answers. */
export interface Question {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly parentId: string | null;
  readonly text: string;
  /** Absent if there are none. */
  readonly files?: readonly MessageFile[];
  /** The text that the reply continues; empty for a new text. */
  readonly continues: string;
  /** The user wants the model to reason before it answers. */
  readonly wantsReasoning: boolean;
  /** Texts that a program has sent with the message. Absent or null if there are none. */
  readonly terms?: ClientTerms | null;
  /** Replace the bot's parameters. Absent if there are none. */
  readonly parameters?: ReplyParameters;
  /** The published API that a program called, so that no user can approve tool calls. Absent for the user's own conversation. */
  readonly apiId?: string;
  /** Set if the bot was read with the message. Otherwise it is read when the reply is written. */
  readonly fromBot?: FromBot;
  /** The project of the conversation; null for none. Absent if the process that writes the reply has not accepted the message. */
  readonly projectId?: string | null;
  /** How the conversation uses the user's memory. Absent if the process that writes the reply has not accepted the message. */
  readonly memoryUse?: MemoryUse;
  /** The event of the message, if the process that appended it writes the reply. */
  readonly eventId: string | null;
}

/** Tokens that a model may use to reason. */
export const REASONING_TOKENS = 2_048;

const NO_BOT: FromBot = { instruction: '', knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false, bot: null };

/** A prompt, and the facts about its bot that the reply needs. */
export type PromptOfBot = Prompt &
  Pick<FromBot, 'bot'> & {
    /** Absent if the user's memory is not used. */
    readonly usedMemory?: UsedMemory;
    /** Releases the memory of files. Call it when the reply has ended. */
    readonly release: () => void;
  };

/** Bytes of the texts of a prompt. */
export function bytesOf({ turns, instruction, knowledge, memory = [] }: Prompt): number {
  const texts = [instruction, ...memory, ...turns.map(({ text }) => text), ...(knowledge?.chunks ?? []).map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Builds the prompt for a question. */
@Injectable()
export class ReplyPrompt {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly bots: BotKnowledge,
    private readonly files: PromptFilesOf,
    private readonly projects: ProjectInstructions,
    private readonly memory: ReplyMemory,
  ) {}

  /**
   * Rejects as `BotKnowledge.search` does, and with the signal's reason while it waits for memory for files. A message without a bot needs no
   * call.
   */
  async of(conversationId: string, question: Question, signal?: AbortSignal): Promise<PromptOfBot> {
    const { userId, botId, text, files = [], continues, wantsReasoning, apiId, projectId } = question;
    const searched = async () => (text.trim() === '' && files.length > 0 ? this.files.namesOf(files) : text);
    const fromBot = botId === null ? NO_BOT : (question.fromBot ?? (await this.bots.search(botId, userId, await searched())));
    const usedMemory = await this.memory.of(conversationId, question, fromBot.bot);
    const { turns: past, release } = await this.turns(conversationId, question, signal);
    const turns: readonly Turn[] = continues === '' ? past : [...past, { role: 'assistant', text: continues }];
    // The bot's reasoning budget counts only if the user wants the model to reason.
    const reasoningTokens = wantsReasoning ? fromBot.parameters.reasoningTokens || REASONING_TOKENS : null;
    const terms = question.terms ?? {};
    const parameters = parametersUnder(withRequested(fromBot.parameters, question.parameters), terms);
    // Conversations of published APIs are in no project.
    const ofProject = apiId === undefined ? await this.projects.of(conversationId, userId, projectId) : '';
    const instruction = instructionUnder(fromBot.instruction, terms.instruction === undefined ? { instruction: ofProject } : terms);
    const remembered = usedMemory.texts.length > 0 ? { memory: usedMemory.texts } : {};
    return { ...fromBot, instruction, ...remembered, turns, parameters: { ...parameters, reasoningTokens }, usedMemory, release };
  }

  private async turns(conversationId: string, question: Question, signal?: AbortSignal) {
    const { parentId, text, files, model, terms } = question;
    const bytes = Buffer.byteLength(text) + (terms ? bytesOfTerms(terms) : 0);
    const sealed = await this.queries.execute(new Transcript(conversationId, parentId, bytes));
    const all = [...(await this.opened(sealed)), ...withTurnsBefore({ role: 'user', text, ...(files && { files }) }, terms)];
    const latestFirst = all.toReversed().flatMap((turn) => turn.files ?? []);
    const { byId, release } = await this.files.load(conversationId, model, latestFirst, signal);
    return { turns: all.map((turn) => withFiles(turn, byId)), release };
  }

  private async opened(sealed: readonly SealedTurn[]): Promise<readonly TurnWithFiles[]> {
    const texts = await this.vault.openAllOften(sealed.map(({ content }) => content as Sealed));
    const all: TurnWithFiles[] = [];
    for (const [place, { content: _, terms, ...turn }] of sealed.entries()) {
      const opened = terms === undefined ? null : await this.vault.openJson<ClientTerms>(terms as Sealed);
      all.push(...withTurnsBefore({ ...turn, text: texts[place] ?? '' }, opened));
    }
    return all;
  }
}

/** A turn with its stored files. */
type TurnWithFiles = Omit<Turn, 'files'> & Pick<Question, 'files'>;

/** The turns that a program has sent with a message, and then the message. Each has its own files. */
function withTurnsBefore(message: TurnWithFiles, terms: ClientTerms | null | undefined): readonly TurnWithFiles[] {
  const { turns = [] } = terms ?? {};
  const { files: stored = [], ...alone } = message;
  const named = new Set(turns.flatMap(({ files = [] }) => files));
  const before = turns.map(({ role, text, files: numbers = [] }) =>
    withStored(
      { role, text },
      numbers.flatMap((number) => stored[number] ?? []),
    ),
  );
  return [
    ...before,
    withStored(
      alone,
      stored.filter((_, number) => !named.has(number)),
    ),
  ];
}

const withStored = (turn: Omit<Turn, 'files'>, files: readonly MessageFile[]): TurnWithFiles =>
  files.length > 0 ? { ...turn, files } : turn;

/** A request cannot exceed the bot's limit on the length of a reply. */
function withRequested(ofBot: GenerationParameters, { maxTokens, ...requested }: ReplyParameters = {}): GenerationParameters {
  const most = Math.min(maxTokens ?? Infinity, ofBot.maxTokens ?? Infinity);
  return { ...ofBot, ...requested, maxTokens: Number.isFinite(most) ? most : null };
}

function withFiles({ files = [], ...turn }: TurnWithFiles, byId: ReadonlyMap<string, TurnFile>): Turn {
  const loaded = files.flatMap(({ id }) => byId.get(id) ?? []);
  return loaded.length > 0 ? { ...turn, files: loaded } : turn;
}
