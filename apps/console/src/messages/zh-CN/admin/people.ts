import type { adminPeople as English } from '../../en/admin/people.ts';
import { adminBots } from './bots.ts';
import { adminCosts } from './costs.ts';
import { adminInvitations } from './invitations.ts';
import { adminTokens } from './tokens.ts';
import { adminUsers } from './users.ts';

export const adminPeople: typeof English = {
  erasedUser: '已清除的用户',
  unknownBot: '无标题的机器人',
  users: adminUsers,
  costs: adminCosts,
  bots: adminBots,
  invitations: adminInvitations,
  tokens: adminTokens,
};
