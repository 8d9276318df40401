import { Injectable } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { heldSubject, heldSubjectId, heldSubjectStream, type SubjectKind } from '../../domain/holds/held-subject.ts';

/**
 * Finds the holds that keep a conversation: those on its user, who may be the owner of a published API, and those on its bot. They are read from the log, so a hold that
 * was answered is found by each deletion that begins afterwards, in any process.
 */
@Injectable()
export class HoldsOnConversations {
  constructor(private readonly streams: Streams) {}

  /** The IDs of the holds on this conversation. Empty also if there is no such conversation. */
  async of(conversationId: string): Promise<readonly string[]> {
    const { userId, botId } = await this.streams.load(conversation, conversationStream(conversationId));
    return userId === null ? [] : this.onEither(userId, botId);
  }

  /** The same of a conversation whose user and bot are known. They do not change. */
  async onEither(userId: string, botId: string | null): Promise<readonly string[]> {
    const [onUser, onBot] = await Promise.all([this.on('user', userId), botId === null ? [] : this.on('bot', botId)]);
    return [...onUser, ...onBot];
  }

  async on(kind: SubjectKind, id: string): Promise<readonly string[]> {
    return (await this.streams.load(heldSubject, heldSubjectStream(heldSubjectId(kind, id)))).on;
  }
}
