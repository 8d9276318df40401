import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ConversationDeleted } from '@parlance/contracts';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { Cursor } from '@parlance/read-models';
import { exporting, exportStream } from '../domain/export.ts';
import { dayOfHour, type Period } from '../domain/export-period.ts';
import { HoursWith } from '../projections/exports/export-index.ts';

const PAGE = 500;

/**
 * Files that may contain a deleted conversation are rewritten without it, within a minute. An export that begins later does not contain it,
 * because inference no longer returns it.
 */
@Controller()
export class OutdateExportsWhenConversationDeleted {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: Streams,
  ) {}

  @EventPattern(ConversationDeleted.type)
  async on(@Payload() event: CloudEvent<ConversationDeleted>): Promise<void> {
    const { conversation_id } = event.data;
    for (let after: Cursor | null = null; ;) {
      const { hours, next }: { hours: readonly Period[]; next: Cursor | null } = await this.queries.execute(
        new HoursWith({ conversation_id }, PAGE, after),
      );
      for (const period of new Set(hours.flatMap((hour) => [hour, dayOfHour(hour)])))
        await this.streams.react(`outdate export ${period}`, [event], exporting, exportStream(period), { type: 'Outdate' });
      if (next === null) return;
      after = next;
    }
  }
}
