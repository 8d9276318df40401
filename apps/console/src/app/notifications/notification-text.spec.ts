import { describe, expect, it } from '@jest/globals';
import type { Notification } from '@parlance/client/types';
import { notifications as texts } from '../../messages/en/shell/notifications.ts';
import { described } from './notification-text.ts';

const NOTHING = {
  id: 'n',
  create_time: 0,
  unread: true,
  bot: null,
  prompt: null,
  project: null,
  approval: null,
  export: null,
  budget: null,
};
const budget = (more: Partial<NonNullable<Notification['budget']>>): Notification => ({
  ...NOTHING,
  kind: 'budget_threshold',
  budget: { id: 'b', scope: 'group', scope_id: 'Sales', name: 'Sales', period: 'MONTH', percent: 80, limit: 10, spent: 8.1, ...more },
});

describe('a notification', () => {
  it('about a bot, a prompt or a project has its title, and leads to it', () => {
    expect(described({ ...NOTHING, kind: 'bot_shared', bot: { id: 'a/b', title: 'Guide' } }, 'me', texts)).toEqual({
      title: 'Guide',
      text: 'A bot was shared with you',
      path: '/store/a%2Fb',
    });
    expect(described({ ...NOTHING, kind: 'prompt_shared', prompt: { id: 'p', title: 'Mail' } }, 'me', texts)).toMatchObject({
      title: 'Mail',
      path: '/prompts/p',
    });
    expect(described({ ...NOTHING, kind: 'project_shared', project: { id: 'f', title: 'Ferries' } }, 'me', texts)).toEqual({
      title: 'Ferries',
      text: 'A project was shared with you',
      path: '/projects/f',
    });
  });
  it('about a reply that waits has the title of its chat, and leads to it', () => {
    const approval = { conversation_id: 'c', message_id: 'm', title: 'Mail to Ben', expires_at: 0 };
    expect(described({ ...NOTHING, kind: 'approval_wanted', approval }, 'me', texts)).toEqual({
      title: 'Mail to Ben',
      text: 'A reply is waiting for your approval',
      path: '/c/c',
    });
  });
  it('about an export leads to the own data', () => {
    const ready: Notification = { ...NOTHING, kind: 'export_ready', export: { id: 'x', expires_at: 0 } };
    expect(described(ready, 'me', texts)).toMatchObject({ title: 'The export of your data is ready', path: '/account/data' });
  });
  it.each([
    [{ scope: 'user', scope_id: 'me', name: null }, 'Your budget', '/account/usage'],
    [{ scope: 'user', scope_id: 'erased', name: null }, 'Another budget', '/admin/budgets'],
    [{ scope: 'all', name: null }, 'Budget of all users', '/admin/budgets'],
    [{}, 'Budget of Sales', '/admin/budgets'],
    [{ scope: 'key', name: null }, 'Another budget', '/admin/budgets'],
  ] as const)('about a budget names it: %j', (more, title, path) =>
    expect(described(budget(more), 'me', texts)).toEqual({ title, text: '$8.10 of $10.00 spent', path }),
  );
  it('of an unknown kind is left out', () => expect(described({ ...NOTHING, kind: 'bot_shared' }, 'me', texts)).toBeNull());
});
