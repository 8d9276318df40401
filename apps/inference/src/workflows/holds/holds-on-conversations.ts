import { Injectable } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { heldSubject, heldSubjectId, heldSubjectStream, type SubjectKind } from '../../domain/holds/held-subject.ts';

/**
 * Finds the holds that keep a conversation: the holds on its user, who may be the owner of a published API, and on its bot. They are read from
 * the log, so every deletion that begins after a hold was placed finds it, in any process.
 */
@Injectable()
export class HoldsOnConversations {
  constructor(private readonly streams: Streams) {}

  /** The IDs of the holds on this conversation. Empty if there is no such conversation. */
  async of(conversationId: string): Promise<readonly string[]> {
    const { userId, botId } = await this.streams.load(conversation, conversationStream(conversationId));
    return userId === null ? [] : this.onEither(userId, botId);
  }

  /** The IDs of the holds on a conversation with this user and bot, which never change. */
  async onEither(userId: string, botId: string | null): Promise<readonly string[]> {
    const [onUser, onBot] = await Promise.all([this.on('user', userId), botId === null ? [] : this.on('bot', botId)]);
    return [...onUser, ...onBot];
  }

  /**
   * Answers whether a hold keeps a conversation with this user and bot, and reads the holds on each of them once. For one round: it does not notice
   * later changes.
   */
  ofRound(): (userId: string, botId: string | null) => Promise<boolean> {
    const known = new Map<string, Promise<boolean>>();
    const isHeld = (kind: SubjectKind, id: string) => {
      const key = heldSubjectId(kind, id);
      const held = known.get(key) ?? this.on(kind, id).then(({ length }) => length > 0);
      known.set(key, held);
      return held;
    };
    return async (userId, botId) => (await isHeld('user', userId)) || (botId !== null && (await isHeld('bot', botId)));
  }

  async on(kind: SubjectKind, id: string): Promise<readonly string[]> {
    return (await this.streams.load(heldSubject, heldSubjectStream(heldSubjectId(kind, id)))).on;
  }
}
