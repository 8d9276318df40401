import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Seal } from '@parlance/privacy';
import { ReadModels } from '@parlance/read-models';
import { newId } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import { Catalogue } from '../adapters/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import { RepliesInHand } from '../workflows/replies-in-hand.ts';
import { settled } from '../adapters/budgets.ts';
import { ReplyReservations } from './reply-reservations.ts';
import { messageKey, messageRows } from '../projections/messages.ts';

export interface NewMessage {
  readonly userId: string;
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
}

/** The warning of a soft budget that is used up, for the answer. */
export interface Accepted {
  readonly budgetWarning: string | null;
}

export class SubmitMessage extends Command<Accepted> {
  constructor(
    readonly conversationId: string,
    readonly message: NewMessage,
    /** The text was sealed with it. */
    readonly seal: Pick<Seal, 'companions' | 'stored'>,
  ) {
    super();
  }
}

/** Reserves the cost of a reply, accepts its message, claims its reply in the same append where this process has room, and begins to write it. */
@CommandHandler(SubmitMessage)
export class SubmitMessageHandler implements ICommandHandler<SubmitMessage> {
  constructor(
    private readonly streams: Streams,
    private readonly models: ReadModels,
    private readonly catalogue: Catalogue,
    private readonly replies: RepliesInHand,
    private readonly reservations: ReplyReservations,
  ) {}

  async execute({ conversationId, message, seal }: SubmitMessage): Promise<Accepted> {
    const { text, parentId, replyId, ...rest } = message;
    const parent = parentId === null ? null : { id: parentId, exists: await this.exists(conversationId, parentId) };
    const reserved = await this.reservations.reserve(conversationId, message);
    const accepting = this.replies.accept(Buffer.byteLength(text), this.catalogue.providerOf(message.model), async (claim) => {
      const command = { type: 'Submit', ...rest, messageId: newId(), replyId, parent, claim, budgets: reserved.marks } as const;
      // The reply's id names the effect: a repeat of the request has the same one.
      const options = { once: `submit ${replyId}`, companions: seal.companions };
      const done = await settled(reserved, this.streams.execute(conversation, conversationStream(conversationId), command, options));
      if (done.written) seal.stored();
      const [asked] = done.events.flatMap(({ id, event }) => (event.type === 'MessageSubmitted' ? [{ ...event, eventId: id }] : []));
      if (!claim || !asked) return null;
      return {
        reply: { conversationId, replyId, ...claim },
        question: { ...asked, text, continues: '', wantsReasoning: asked.reasoning === true },
      };
    });
    // Where nothing was appended, nothing is spent.
    await accepting.finally(() => reserved.giveBack());
    return { budgetWarning: reserved.warning };
  }

  /** The result stays true until the append: messages are removed only with their conversation, which then refuses the message. */
  private async exists(conversationId: string, messageId: string): Promise<boolean> {
    return (await this.models.get(messageRows, messageKey(conversationId, messageId))) !== null;
  }
}
