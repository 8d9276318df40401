import { plural } from '../../plural.ts';

/** Texts of the lists from which a bot is chosen for a chat. */
export const botChoice = {
  yourBots: 'Your bots',
  showBots: 'Show your bots',
  hideBots: 'Hide your bots',
  allBots: 'All bots',
  starred: 'Starred',
  pinned: 'Pinned',
  listLabel: 'Bots to chat with',
  startsChat: 'Starts a new chat with the bot. Your text is kept.',
  searching: 'Searching …',
  found: (n: number) => plural(n, { one: '{n} bot. Use the arrow keys to choose.', other: '{n} bots. Use the arrow keys to choose.' }),
  noMatch: 'No bot matches.',
  preparing: 'The bots are still being prepared. They appear here as soon as they are ready.',
  noBots: 'There are no bots yet.',
  shelfEmpty: 'Bots that you star or use appear here.',
  toStore: 'Find a bot in the store',
  create: 'Create a bot',
};
