import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications = {
  title: 'Notifications',
  unread: (n: number) => plural(n, { one: 'Notifications ({n} unread)', other: 'Notifications ({n} unread)' }),
  isNew: 'New',
  botShared: 'A bot was shared with you',
  promptShared: 'A prompt was shared with you',
  projectShared: 'A project was shared with you',
  approvalWanted: 'A reply is waiting for your approval',
  exportReady: 'The export of your data is ready',
  exportUntil: (time: string) => `It can be downloaded until ${time}.`,
  ownBudget: 'Your budget',
  budgetOfAll: 'Budget of all users',
  budgetOf: (name: string) => `Budget of ${name}`,
  otherBudget: 'Another budget',
  spent: (spent: string, limit: string) => `${spent} of ${limit} spent`,
  markRead: 'Mark all as read',
  emptyTitle: 'No notifications',
  emptyText:
    'This is where you see what was shared with you, which replies are waiting for your approval, and when exports are ready or budgets nearly spent.',
  allow: 'Notify me in this browser too',
  denied: 'The browser blocks notifications of this page. You can change that in its settings.',
};
