import { describe, expect, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { shelf, shelfId, shelfStream } from './shelf.ts';

const given = specify(shelf);

describe('a bot on the shelf of a user', () => {
  it('is starred', () => given().when({ type: 'Star' }).emits({ type: 'BotStarred' }));
  it('is not starred twice', () => given({ type: 'BotStarred' }).when({ type: 'Star' }).emits());
  it('loses its star', () => given({ type: 'BotStarred' }).when({ type: 'Unstar' }).emits({ type: 'BotUnstarred' }));
  it('has no star to lose at first', () => given().when({ type: 'Unstar' }).emits());
  it('is starred again', () =>
    given({ type: 'BotStarred' }, { type: 'BotUnstarred' }).when({ type: 'Star' }).emits({ type: 'BotStarred' }));
  it('is removed from the recently used bots each time', () =>
    given({ type: 'RemovedFromRecent' }).when({ type: 'RemoveFromRecent' }).emits({ type: 'RemovedFromRecent' }));
  it('keeps its star when it is removed from the recently used bots', () =>
    given({ type: 'BotStarred' }, { type: 'RemovedFromRecent' }).when({ type: 'Star' }).emits());
  it('is cleared when its user is erased', () => given({ type: 'BotStarred' }).when({ type: 'Clear' }).emits({ type: 'ShelfCleared' }));
  it.each(['Star', 'Unstar', 'RemoveFromRecent', 'Clear'] as const)('ignores %s after it was cleared', (type) =>
    given({ type: 'BotStarred' }, { type: 'ShelfCleared' }).when({ type }).emits(),
  );
  it('has a stream of its own for each user and bot', () => expect(shelfStream(shelfId('ann', 'b1'))).toBe('shelf-ann.b1'));
});
