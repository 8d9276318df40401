import { erasing } from '@parlance/foundation';
import { ExecuteBot } from '../commands/aggregates.ts';
import { BotsErasedOf, BotsOf } from '../projections/bots.ts';

/** A bot is deleted with its owner. Other services are told as of any deletion. */
export const EraseBotsWhenUserErased = erasing({
  kind: 'bots',
  left: BotsOf,
  removed: BotsErasedOf,
  erase: (id, ownerUserId) => new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId }),
});
