import type { ExceededBudget } from '@parlance/client';

const PERIODS = { DAY: 'daily', WEEK: 'weekly', MONTH: 'monthly' };
const OWNERS = { all: 'all users', bot: 'this bot', key: 'this API key', token: 'this token', cost_centre: 'this cost centre' };

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  const name = `${PERIODS[period]} budget`;
  return scope === 'user' ? `your ${name}` : `the ${name} of ${scope === 'group' ? group : OWNERS[scope]}`;
}

export const common = {
  appName: 'Parlance',
  save: 'Save',
  passwordHelp: 'At least 8 characters.',
  showPassword: 'Show password',
  cancel: 'Cancel',
  close: 'Close',
  delete: 'Delete',
  remove: 'Remove',
  create: 'Create',
  search: 'Search',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it.',
  retry: 'Try again',
  back: 'Back',
  previous: 'Previous',
  next: 'Next',
  more: 'More',
  loading: 'Loading …',
  late: 'The server is slow to respond. Loading …',
  optional: 'optional',
  actions: 'Actions',
  downloadCsv: 'Download CSV',
  asOf: (time: string) => `As of ${time}`,
  requestId: (id: string) => `Request ID: ${id}`,
  errorTitle: 'This could not be loaded',
  retriedLater: 'The page tries again by itself.',
  noAnswer: 'The server did not answer. Check your connection and try again.',
  secretLost: 'The response with the secret was lost, and the server has no copy. Delete the new entry, and create another.',
  budgetExceeded: (budget: ExceededBudget, time: string) => `Too little is left of ${nameOfBudget(budget)}. It starts again on ${time}.`,
  stepUpNeeded: 'Nothing was changed. Try again, and confirm with your second factor.',
  offline: 'No connection to the server. The page continues when the connection is back.',
  notFoundTitle: 'There is no such page',
  notFoundText: 'Check the address.',
  toStart: 'Go to the start page',
  noAccessTitle: 'This page is for administrators',
  noAccessText: 'Ask an administrator of this installation for access.',
  skipToContent: 'Skip to the content',
  menu: 'Menu',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  hideNavigation: 'Hide the navigation',
  showNavigation: 'Show the navigation',
  commands: 'Search and commands',
  account: 'Account',
  signOut: 'Sign out',
  newChat: 'New chat',
  chats: 'Chats',
  bots: 'Bots',
  store: 'Store',
  prompts: 'Prompts',
  admin: 'Administration',
};
