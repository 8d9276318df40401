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

/** What the reply answers. */
export interface Question {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly parentId: string | null;
  readonly text: string;
  /** Absent without any. */
  readonly files?: readonly MessageFile[];
  /** The text that the reply continues; empty for a new text. */
  readonly continues: string;
  /** The user wants the model to reason before it answers. */
  readonly wantsReasoning: boolean;
  /** Texts that a program has sent with it; absent or null without any. */
  readonly terms?: ClientTerms | null;
  /** In place of the bot's. Absent without any. */
  readonly parameters?: ReplyParameters;
  /** The published API through which a program has asked: no user can be asked for an approval. Absent for the user's own conversation. */
  readonly apiId?: string;
  /** Of the bot, where it was read with the message. A reply that is written later reads it then. */
  readonly fromBot?: FromBot;
  /** The event that asked, where the process that appended it writes the reply. */
  readonly eventId: string | null;
}

/** Tokens that a model may reason with. */
export const REASONING_TOKENS = 2_048;

const NO_BOT: FromBot = { instruction: '', knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false, bot: null };

/** A prompt, and what the reply needs of its bot beside it. */
export type PromptOfBot = Prompt &
  Pick<FromBot, 'bot'> & { /** To be called when the reply has ended: gives the memory of files back. */ readonly release: () => void };

/** Bytes of the texts of a prompt. */
export function bytesOf({ turns, instruction, knowledge }: Prompt): number {
  const texts = [instruction, ...turns.map(({ text }) => text), ...(knowledge?.chunks ?? []).map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Collects what a model is given for a question. */
@Injectable()
export class ReplyPrompt {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly bots: BotKnowledge,
    private readonly files: PromptFilesOf,
  ) {}

  /**
   * Rejects as `BotKnowledge.search` does, and with the reason of the signal while it waits for memory for files. A message without a bot
   * costs no call.
   */
  async of(conversationId: string, question: Question, signal?: AbortSignal): Promise<PromptOfBot> {
    const { userId, botId, text, files = [], continues, wantsReasoning } = question;
    const searched = async () => (text.trim() === '' && files.length > 0 ? this.files.namesOf(files) : text);
    const fromBot = botId === null ? NO_BOT : (question.fromBot ?? (await this.bots.search(botId, userId, await searched())));
    const { turns: asked, release } = await this.turns(conversationId, question, signal);
    const turns: readonly Turn[] = continues === '' ? asked : [...asked, { role: 'assistant', text: continues }];
    // The budget of the bot counts only where the user wants the model to reason.
    const reasoningTokens = wantsReasoning ? fromBot.parameters.reasoningTokens || REASONING_TOKENS : null;
    const terms = question.terms ?? {};
    const parameters = parametersUnder(withAsked(fromBot.parameters, question.parameters), terms);
    const instruction = instructionUnder(fromBot.instruction, terms);
    return { ...fromBot, instruction, turns, parameters: { ...parameters, reasoningTokens }, release };
  }

  private async turns(conversationId: string, question: Question, signal?: AbortSignal) {
    const { parentId, text, files, model, terms } = question;
    const bytes = Buffer.byteLength(text) + (terms ? bytesOfTerms(terms) : 0);
    const sealed = await this.queries.execute(new Transcript(conversationId, parentId, bytes));
    const earlier = await Promise.all(sealed.map((turn) => this.opened(turn)));
    const all = [...earlier.flat(), ...withTurnsBefore({ role: 'user', text, ...(files && { files }) }, terms)];
    const latestFirst = all.toReversed().flatMap((turn) => turn.files ?? []);
    const { byId, release } = await this.files.load(conversationId, model, latestFirst, signal);
    return { turns: all.map((turn) => withFiles(turn, byId)), release };
  }

  private async opened({ content, terms, ...turn }: SealedTurn): Promise<readonly TurnWithFiles[]> {
    const text = (await this.vault.open(content as Sealed)) ?? '';
    return withTurnsBefore({ ...turn, text }, terms === undefined ? null : await this.vault.openJson<ClientTerms>(terms as Sealed));
  }
}

/** A turn with its files as they are stored. */
type TurnWithFiles = Omit<Turn, 'files'> & Pick<Question, 'files'>;

/** The turns that a program has sent with a message, and the message. Each has its own files. */
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

/** The limit of the bot on the length of a reply stays. */
function withAsked(ofBot: GenerationParameters, { maxTokens, ...asked }: ReplyParameters = {}): GenerationParameters {
  const most = Math.min(maxTokens ?? Infinity, ofBot.maxTokens ?? Infinity);
  return { ...ofBot, ...asked, maxTokens: Number.isFinite(most) ? most : null };
}

function withFiles({ files = [], ...turn }: TurnWithFiles, byId: ReadonlyMap<string, TurnFile>): Turn {
  const loaded = files.flatMap(({ id }) => byId.get(id) ?? []);
  return loaded.length > 0 ? { ...turn, files: loaded } : turn;
}
