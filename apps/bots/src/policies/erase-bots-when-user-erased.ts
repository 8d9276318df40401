import { erasing } from '@parlance/foundation';
import { ExecuteBot } from '../commands/aggregates.ts';
import { botRows, erasedBotsRows } from '../projections/bots.ts';

/** A bot is deleted with its owner. Other services are told as of any deletion. */
export const EraseBotsWhenUserErased = erasing({
  rows: botRows,
  index: 'byOwner',
  removed: erasedBotsRows,
  erase: (id, ownerUserId) => new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId }),
});
