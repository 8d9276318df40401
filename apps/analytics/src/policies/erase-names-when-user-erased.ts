import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { UserErased } from '@parlance/contracts';
import { Projector } from '@parlance/read-models';
import { Erasing, type Removed } from '@parlance/foundation';
import { ExecuteNotificationReads } from '../commands/aggregates.ts';
import { directory, NamesErasedOf } from '../projections/directory.ts';
import { notifications } from '../projections/notifications/notifications.ts';
import { ExportErasure } from '../workflows/exports/export-erasure.ts';

/** Erases names, notifications, and the content of conversations in exports. Figures and audit entries stay, because they contain only IDs. */
@Injectable()
export class EraseNamesWhenUserErased extends Erasing {
  constructor(
    private readonly projector: Projector,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly exports: ExportErasure,
  ) {
    super();
  }

  override async erase(userId: string): Promise<void> {
    // This makes the same change as the event will when it is delivered. The second time, nothing changes.
    const event = { id: `erasure:${userId}`, type: UserErased.type, data: { user_id: userId } };
    await this.projector.anticipate(directory.name, event);
    await this.projector.anticipate(notifications.name, event);
    await this.commands.execute(new ExecuteNotificationReads(userId, { type: 'Erase' }));
    await this.exports.erase(userId);
  }

  override async removedOf(userId: string): Promise<Removed> {
    const exported_conversations = await this.exports.rowsOf(userId);
    const names = await this.queries.execute(new NamesErasedOf(userId));
    return { ...names, ...(exported_conversations > 0 && { exported_conversations }) };
  }
}
