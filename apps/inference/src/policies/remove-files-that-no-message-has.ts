import { Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { Projector, ReadModels } from '@parlance/read-models';
import { MessageFiles } from '../adapters/files/message-files.ts';
import { messageKey, messageRows } from '../projections/messages/message-rows.ts';

/** A newer file may belong to a message that is being accepted. Requests end much sooner than this. */
const GRACE_MILLIS = 3_600_000;

/**
 * Removes the files of messages that were never accepted: files are stored before their message. A sweep runs only if the read model includes
 * the whole log, because a message that it lacks would lose its files.
 */
@Injectable()
export class RemoveFilesThatNoMessageHas {
  private after: string | null = null;

  constructor(
    private readonly files: MessageFiles,
    private readonly models: ReadModels,
    private readonly store: EventStore,
    private readonly projector: Projector,
    private readonly clock: Clock,
  ) {}

  /** Checks the next page of files, and after the last one starts again. */
  async sweep(): Promise<void> {
    const { behind } = await this.projector.includes(await this.store.head());
    if (behind.length > 0) return;
    const stored = await this.files.stored(this.after);
    const before = this.clock.now() - GRACE_MILLIS;
    for (const { conversationId, messageId, modified } of stored) {
      if (modified.getTime() >= before) continue;
      if (await this.models.get(messageRows, messageKey(conversationId, messageId))) continue;
      await this.files.remove({ conversationId, messageId });
    }
    this.after = stored.at(-1)?.key ?? null;
  }
}
