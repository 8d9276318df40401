import { Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { Projector, ReadModels } from '@parlance/read-models';
import { MessageFiles } from '../adapters/files/message-files.ts';
import { messageKey, messageRows } from '../projections/messages/message-rows.ts';

/** A younger file may belong to a message that is being accepted. Requests end much sooner. */
const GRACE_MILLIS = 3_600_000;

/**
 * Files are stored before the message that names them. Those of a message that was never accepted are removed, some at each look. A look
 * needs rows that include the whole log: a message that they lack would lose its files.
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

  /** Looks at the next files, and from the first one again after the last. */
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
