import type { AdminPageNames } from '../messages/admin-page-names.ts';

/** The pages of the administration in the order of the navigation. */
export const adminPages = (names: AdminPageNames) => [
  { path: '/admin', name: names.overview },
  { path: '/admin/users', name: names.users },
  { path: '/admin/groups', name: names.groups },
  { path: '/admin/invitations', name: names.invitations },
  { path: '/admin/service-accounts', name: names.serviceAccounts },
  { path: '/admin/tokens', name: names.tokens },
  { path: '/admin/costs', name: names.costs },
  { path: '/admin/calls', name: names.calls },
  { path: '/admin/bots', name: names.bots },
  { path: '/admin/quality', name: names.quality },
  { path: '/admin/questions', name: names.questions },
  { path: '/admin/apis', name: names.apis },
  { path: '/admin/audit', name: names.audit },
  { path: '/admin/models', name: names.models },
  { path: '/admin/guardrails', name: names.guardrails },
  { path: '/admin/budgets', name: names.budgets },
  { path: '/admin/retention', name: names.retention },
  { path: '/admin/holds', name: names.holds },
  { path: '/admin/exports', name: names.exports },
  { path: '/admin/webhooks', name: names.webhooks },
  { path: '/admin/identity', name: names.identity },
  { path: '/admin/health', name: names.health },
];
