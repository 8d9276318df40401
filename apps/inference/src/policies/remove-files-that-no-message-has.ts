import { Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { Clock, PagedRounds } from '@parlance/foundation';
import { Projector, ReadModels } from '@parlance/read-models';
import { MessageFiles, type StoredMessageFiles } from '../adapters/files/message-files.ts';
import { messageKey, messageRows } from '../projections/messages/message-rows.ts';

/** A newer file may belong to a message that is being accepted. Requests end much sooner than this. */
const GRACE_MILLIS = 3_600_000;

/**
 * Removes the files of messages that were never accepted: files are stored before their message. A sweep runs only if the read model includes
 * the whole log, because a message that it lacks would lose its files.
 */
@Injectable()
export class RemoveFilesThatNoMessageHas {
  private readonly sweeps = new PagedRounds<StoredMessageFiles, string>('files of messages could not be checked', ({ key }) => key);

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
    const before = this.clock.now() - GRACE_MILLIS;
    await this.sweeps.run(
      async (after) => {
        const rows = await this.files.stored(after);
        return { rows, next: rows.at(-1)?.key ?? null };
      },
      async ({ conversationId, messageId, modified }) => {
        if (modified.getTime() >= before) return;
        if (await this.models.get(messageRows, messageKey(conversationId, messageId))) return;
        await this.files.remove({ conversationId, messageId });
      },
    );
  }
}
