import { Injectable } from '@nestjs/common';
import type { Seal } from '@parlance/privacy';
import { ReadModels } from '@parlance/read-models';
import { newId } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import { commandWith } from '../bus.ts';
import type { FromBot } from '../adapters/from-bot.ts';
import type { CheckedFile } from '../adapters/files/message-files.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import type { ReplyParameters } from '../domain/conversation-events.ts';
import type { UsedApi } from '../domain/conversation-owner.ts';
import { bytesOfTerms, textsOfTerms, type ClientTerms } from '../workflows/client-terms.ts';
import { memoryUseOf } from '../workflows/memory/reply-memory.ts';
import { ReplyScheduler } from '../workflows/claiming/reply-scheduler.ts';
import { settled } from '../adapters/budgets.ts';
import { NewFiles } from './new-files.ts';
import type { CountedFile } from './prompt-tokens.ts';
import { ReplyReservations } from './reply-reservations.ts';
import { messageKey, messageRows } from '../projections/messages/message-rows.ts';

export interface NewMessage {
  readonly userId: string;
  /** Whether the conversation's ID was created for this message. The conversation may still exist, because a repeated request has the same ID. */
  readonly begins: boolean;
  readonly botId: string | null;
  readonly replyId: string;
  /** The message that this one answers; null for the newest. */
  readonly parentId: string | null;
  readonly text: string;
  /** The text, sealed. */
  readonly content: string;
  readonly model: string;
  /** The title by rule, sealed, of a conversation that may begin with this message. */
  readonly title?: string;
  /** The user wants the model to reason before it answers. */
  readonly reasoning: boolean;
  readonly files: readonly CheckedFile[];
  readonly parameters?: ReplyParameters;
  /** Texts that a program has sent with the message, in plain text and sealed. */
  readonly terms?: { readonly opened: ClientTerms; readonly sealed: string };
  /** Set if a program has sent the message. */
  readonly api?: UsedApi;
  /** The conversation that begins with this message is temporary. */
  readonly temporary?: true;
  /** The project of the conversation that begins with this message. */
  readonly projectId?: string;
  /** Turns the memory on or off for the conversation. */
  readonly memory?: boolean;
  /** The part of the prompt from a bot without knowledge, if the bots service returned it with the permission to use the bot. */
  readonly fromBot?: FromBot;
}

/** `budgetWarning`: set if a soft budget is used up. */
export interface Accepted {
  readonly budgetWarning: string | null;
}

/** Reserves the cost of a reply and accepts its message. If this process has capacity, claims the reply in the same append and begins to write it. */
@Injectable()
export class SubmitMessageHandler {
  constructor(
    private readonly streams: Streams,
    private readonly models: ReadModels,
    private readonly replies: ReplyScheduler,
    private readonly reservations: ReplyReservations,
    private readonly newFiles: NewFiles,
  ) {}

  /** The text was sealed with the seal. */
  async execute(conversationId: string, message: NewMessage, seal: Pick<Seal, 'companions' | 'stored' | 'json'>): Promise<Accepted> {
    const { text, begins, parentId, replyId, files, terms, fromBot, ...rest } = message;
    const bytes = Buffer.byteLength(text) + (terms ? bytesOfTerms(terms.opened) : 0);
    const parent = parentId === null ? null : { id: parentId, exists: await this.exists(conversationId, parentId) };
    const question = [text, ...(terms ? textsOfTerms(terms.opened) : [])];
    const bot = fromBot && { instruction: fromBot.instruction, hasTools: (fromBot.bot?.tools ?? []).length > 0 };
    const counted = { question, files: files.map(countedFile), ...(bot && { bot }) };
    const reserved = await this.reservations.reserve(conversationId, { ...message, ...counted });
    // The files do not count here: they are read again for the prompt, under a limit of their own.
    const accepting = this.replies.accept({ ...message, conversationId, bytes }, async (claim) => {
      const messageId = newId();
      const sealed = { ...rest, ...(terms && { terms: terms.sealed }) };
      const command = { type: 'Submit', ...sealed, messageId, replyId, parent, claim, budgets: reserved.marks } as const;
      // A repeat of the request has the same reply ID, so it is appended once.
      const options = { once: `submit ${replyId}`, companions: seal.companions, isNew: begins };
      const stream = conversationStream(conversationId);
      const place = { conversationId, messageId };
      const isNew = files.length > 0 && !(await this.exists(conversationId, replyId));
      const stored = isNew ? await this.newFiles.store(place, files, seal) : null;
      const appended = this.streams.execute(conversation, stream, stored ? { ...command, files: stored } : command, options);
      const done = await settled(reserved, stored ? this.newFiles.removedUnlessNamed(place, appended) : appended);
      if (done.written) seal.stored();
      const [submitted] = done.events.flatMap(({ id, event }) => (event.type === 'MessageSubmitted' ? [{ ...event, eventId: id }] : []));
      if (!claim || !submitted) return null;
      const { projectId = null } = done.state;
      const found = { projectId, memoryUse: memoryUseOf(done.state) };
      const wanted = { ...found, terms: terms?.opened ?? null, wantsReasoning: submitted.reasoning === true, ...(fromBot && { fromBot }) };
      return {
        reply: { userId: message.userId, conversationId, replyId, ...claim },
        question: { ...submitted, ...wanted, text, continues: '', ...(submitted.api && { apiId: submitted.api.apiId }) },
      };
    });
    // Without an append, the reservation is released.
    await accepting.finally(() => reserved.release());
    return { budgetWarning: reserved.warning };
  }

  /** A message that exists now exists at the append too: messages are removed only with their conversation, which then refuses the new message. */
  private async exists(conversationId: string, messageId: string): Promise<boolean> {
    return (await this.models.get(messageRows, messageKey(conversationId, messageId))) !== null;
  }
}

export const SubmitMessage = commandWith(
  'SubmitMessage',
  [SubmitMessageHandler],
  ([handler], ...args: Parameters<SubmitMessageHandler['execute']>) => handler.execute(...args),
);

const countedFile = ({ kind, mediaType, bytes, text, textTokens, pages }: CheckedFile): CountedFile => ({
  kind,
  mediaType,
  bytes: bytes.byteLength,
  ...(text !== null && { textBytes: Buffer.byteLength(text) }),
  ...(textTokens !== undefined && { textTokens }),
  ...(pages !== undefined && { pages }),
});
