import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { UserErased } from '@parlance/contracts';
import { applyForeign, ReadModels } from '@parlance/read-models';
import { Erasing, type Removed } from '@parlance/service-kit';
import { directory, NamesErasedOf } from '../projections/directory.ts';

/** Names go; figures and audit entries stay, since they hold ids alone. */
@Injectable()
export class EraseWhatWasAUsersWhenUserErased extends Erasing {
  constructor(
    private readonly models: ReadModels,
    private readonly queries: QueryBus,
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    // The change that the event makes, whether or not it has come yet: once by whichever of the two is first, and then again to no effect.
    const asIfHeard = { id: `erasure:${userId}`, type: UserErased.type, data: { user_id: userId } };
    await applyForeign(this.models, directory, asIfHeard);
    return { ...(await this.queries.execute(new NamesErasedOf(userId))) };
  }
}
