import { type Decider, refuse } from '@parlance/decider';

export type BotCommand =
  | { type: 'Create'; ownerUserId: string; title: string; description: string; instruction: string }
  | { type: 'Delete'; by: string }
  /** The erasure of the owner deletes the bot. */
  | { type: 'DeleteWithOwner'; ownerUserId: string };

export type BotEvent =
  | { type: 'BotCreated'; ownerUserId: string; title: string; description: string; instruction: string }
  | { type: 'BotDeleted'; ownerUserId: string }
  | { type: 'BotDeletedWithOwner'; ownerUserId: string };

export type Bot = { status: 'absent' } | { status: 'living'; ownerUserId: string } | { status: 'deleted'; ownerUserId: string };

const botNotFound = () => refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');

export const bot: Decider<BotCommand, BotEvent, Bot> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const { type: _, ...facts } = command;
        if (state.status === 'absent') return [{ type: 'BotCreated', ...facts }];
        // A client that brings its own id may repeat itself; an id of another user is taken.
        if (state.status === 'living' && state.ownerUserId === command.ownerUserId) return [];
        return refuse('conflict', 'bot_id_taken', 'This bot id is in use. Choose another one, or leave it out.');
      }
      case 'Delete':
        if (state.status === 'absent') return botNotFound();
        // Only the owner sees a private bot, so other users must not learn that it is there.
        if (state.ownerUserId !== command.by) return botNotFound();
        return state.status === 'deleted' ? [] : [{ type: 'BotDeleted', ownerUserId: state.ownerUserId }];
      case 'DeleteWithOwner':
        if (state.status === 'absent' || state.ownerUserId !== command.ownerUserId) return botNotFound();
        return state.status === 'deleted' ? [] : [{ type: 'BotDeletedWithOwner', ownerUserId: state.ownerUserId }];
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'BotCreated':
        return { status: 'living', ownerUserId: event.ownerUserId };
      case 'BotDeleted':
      case 'BotDeletedWithOwner':
        return { status: 'deleted', ownerUserId: event.ownerUserId };
    }
  },
};

export const botStream = (botId: string) => `bot-${botId}`;
