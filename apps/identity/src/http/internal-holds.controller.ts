import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { Internal } from '@parlance/http';
import { Projector } from '@parlance/read-models';
import { HoldsInStatus } from '../projections/holds.ts';

const PAGE = 500;

/** The subjects of holds, for services that remove copies of their data. */
@Controller('internal/holds')
@Internal()
export class InternalHoldsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly projector: Projector,
    private readonly store: EventStore,
  ) {}

  /** All subjects on hold, including holds that are being placed. The answer includes each hold that was acknowledged before the request. */
  @Get('subjects')
  async subjects(): Promise<{ user_ids: readonly string[]; bot_ids: readonly string[] }> {
    if ((await this.projector.includes(await this.store.head())).behind.length > 0)
      throw refuse('unavailable', 'read_models_behind', 'The list of holds is not up to date yet. Try again in a moment.');
    const found = { user: new Set<string>(), bot: new Set<string>() };
    for (const status of ['requested', 'placed'] as const)
      for (let after: string | null = null; ;) {
        const rows: Awaited<ReturnType<typeof this.page>> = await this.page(status, after);
        for (const { subject_kind, subject_id } of rows) found[subject_kind].add(subject_id);
        if (rows.length < PAGE) break;
        after = rows.at(-1)!.hold_id;
      }
    return { user_ids: [...found.user], bot_ids: [...found.bot] };
  }

  private page(status: 'requested' | 'placed', after: string | null) {
    return this.queries.execute(new HoldsInStatus(status, after, PAGE));
  }
}
