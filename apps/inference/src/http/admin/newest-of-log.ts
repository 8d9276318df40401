import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { newestIncluded, Projector } from '@parlance/read-models';
import { z } from 'zod';
import { conversationList } from '../../projections/conversation-list.ts';
import { messages } from '../../projections/messages/messages.ts';

export const AsOf = z
  .object({ position: z.int(), time: z.string().meta({ format: 'date-time' }) })
  .nullable()
  .describe('Newest event included in the answer. Null before the first event.');
export type AsOf = z.infer<typeof AsOf>;

/** Reports how up to date the read model of this service is. */
@Injectable()
export class NewestOfLog {
  constructor(
    private readonly store: EventStore,
    private readonly projector: Projector,
  ) {}

  /** The newest event that the rows of these projections include; by default, those of conversations. Waits until they include all events recorded before the call. */
  async included(projections: readonly string[] = [messages.name, conversationList.name]): Promise<AsOf> {
    const newest = await newestIncluded(this.store, this.projector, projections);
    return newest && { position: newest.position, time: Instant.toString(newest.at) };
  }
}
