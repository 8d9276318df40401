import { adminBots } from './admin-bots.ts';
import { adminCosts } from './admin-costs.ts';
import { adminInvitations } from './admin-invitations.ts';
import { adminTokens } from './admin-tokens.ts';
import { adminUsers } from './admin-users.ts';

/** Texts of users, groups, invitations, service accounts, tokens, costs, bots and published APIs. */
export const adminPeople = {
  erasedUser: 'Erased user',
  unknownBot: 'Bot without a title',
  users: adminUsers,
  costs: adminCosts,
  bots: adminBots,
  invitations: adminInvitations,
  tokens: adminTokens,
};
