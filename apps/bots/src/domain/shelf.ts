import type { Decider } from '@parlance/decider';

/** One bot on the shelf of one user: whether it is starred, and when it was removed from the recently used bots. */
export type ShelfCommand =
  | { type: 'Star' }
  | { type: 'Unstar' }
  | { type: 'RemoveFromRecent' }
  /** The user was erased. */
  | { type: 'Clear' };

export type ShelfEvent = { type: 'BotStarred' } | { type: 'BotUnstarred' } | { type: 'RemovedFromRecent' } | { type: 'ShelfCleared' };

export type Shelf = { isStarred: boolean; isCleared: boolean };

export const shelf: Decider<ShelfCommand, ShelfEvent, Shelf> = {
  initialState: { isStarred: false, isCleared: false },
  snapshots: { every: 50, shape: 'shelf@1' },

  decide(command, { isStarred, isCleared }) {
    if (isCleared) return [];
    switch (command.type) {
      case 'Star':
        return isStarred ? [] : [{ type: 'BotStarred' }];
      case 'Unstar':
        return isStarred ? [{ type: 'BotUnstarred' }] : [];
      case 'RemoveFromRecent':
        // Each removal counts, because the bot may have been used again since the last one.
        return [{ type: 'RemovedFromRecent' }];
      case 'Clear':
        return [{ type: 'ShelfCleared' }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'BotStarred':
        return { ...state, isStarred: true };
      case 'BotUnstarred':
        return { ...state, isStarred: false };
      case 'RemovedFromRecent':
        return state;
      case 'ShelfCleared':
        return { isStarred: false, isCleared: true };
    }
  },
};

/** The ID of one user's entry for one bot. */
export const shelfId = (userId: string, botId: string) => `${userId}.${botId}`;
export const shelfStream = (id: string) => `shelf-${id}`;
