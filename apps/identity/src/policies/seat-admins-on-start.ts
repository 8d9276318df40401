import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { EventStore } from '@parlance/event-store';
import { Projector } from '@parlance/read-models';
import { Streams } from '@parlance/foundation';
import { AdminSeats } from '../workflows/admin-seats.ts';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { pagesOfUsers } from '../projections/users.ts';

/** Gives seats to Admins without one, because a process crashed before it took the seat. */
@Injectable()
export class SeatAdminsOnStart implements OnApplicationBootstrap {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: EventStore,
    private readonly projector: Projector,
    private readonly streams: Streams,
    private readonly adminSeats: AdminSeats,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.catchUp();
    const { seats } = await this.streams.load(administrators, administratorsStream);
    for await (const rows of pagesOfUsers(this.queries))
      for (const { user_id: userId, groups, enabled } of rows)
        if (enabled && groups.includes('Admin') && seats[userId] === undefined) await this.adminSeats.takeMissingSeat(userId);
  }

  /** Waits for the read models, which may lack the last events before a crash. A stopped projection does not prevent the start. */
  private async catchUp(): Promise<void> {
    await this.projector.includes(await this.store.head()).catch(() => undefined);
  }
}
