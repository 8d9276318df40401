import type { Seeded } from './seeded.ts';

/** Each page with the heading that shows that it is loaded. */
export const SIGNED_IN_PAGES: readonly (readonly [path: string, heading: string | RegExp])[] = [
  ['/', 'What can I help with?'],
  ['/c/{conversationId}', /How many days of leave/],
  ['/bots', 'Bots'],
  ['/bots/new', 'New bot'],
  ['/bots/{botId}/edit', 'Handbook'],
  ['/bots/{botId}/knowledge', 'Handbook'],
  ['/bots/{botId}/history', 'Handbook'],
  ['/bots/{botId}/publish', 'Handbook'],
  ['/bots/{botId}/insights', 'Handbook'],
  ['/store', 'Store'],
  ['/store/{botId}', 'Handbook'],
  ['/account', 'Account'],
  ['/account/sessions', 'Account'],
  ['/account/usage', 'Account'],
  ['/account/shares', 'Account'],
  ['/account/tokens', 'Account'],
  ['/account/api', 'Account'],
  ['/account/tools', 'Account'],
  ['/account/memory', 'Account'],
  ['/account/data', 'Account'],
  ['/tool-connections', 'The connection was not completed'],
  ['/welcome/model', /model/i],
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/users/{userId}', /First12/],
  ['/admin/groups', 'Groups'],
  ['/admin/invitations', 'Invitations'],
  ['/admin/service-accounts', 'Service accounts'],
  ['/admin/tokens', 'Access tokens'],
  ['/admin/costs', 'Costs'],
  ['/admin/calls', 'Calls'],
  ['/admin/bots', 'Bots'],
  ['/admin/bots/{botId}', 'Handbook'],
  ['/admin/bots/{botId}/ratings', /^Bad ratings/],
  ['/admin/questions', 'Questions'],
  ['/admin/apis', 'Published APIs'],
  ['/admin/audit', 'Audit log'],
  ['/admin/models', 'Models and prices'],
  ['/admin/models/connect', 'Connect a model'],
  ['/admin/guardrails', 'Guardrails'],
  ['/admin/budgets', 'Budgets'],
  ['/admin/retention', 'Retention'],
  ['/admin/holds', 'Holds'],
  ['/admin/exports', 'Exports'],
  ['/admin/webhooks', 'Webhooks'],
  ['/admin/webhooks/{webhookId}', '127.0.0.1:1'],
  ['/admin/identity', 'Identity providers'],
  ['/admin/health', 'Health'],
];

/** The address of a page, with the IDs of the seeded data. */
export const addressOf = (path: string, seeded: Seeded): string =>
  `/app${path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Seeded) => seeded[name])}`;

/** The beginning of the names of its screenshots. */
export const fileNameOf = (path: string): string => (path === '/' ? 'start' : path.slice(1).replaceAll(/[/{}?#=]+/g, '-'));
