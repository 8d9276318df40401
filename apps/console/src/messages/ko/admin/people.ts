import type { adminPeople as English } from '../../en/admin/people.ts';
import { adminBots } from './bots.ts';
import { adminCosts } from './costs.ts';
import { adminInvitations } from './invitations.ts';
import { adminTokens } from './tokens.ts';
import { adminUsers } from './users.ts';

/** Texts of users, groups, invitations, service accounts, tokens, costs, bots and published APIs. */
export const adminPeople: typeof English = {
  erasedUser: '영구 삭제된 사용자',
  unknownBot: '제목 없는 봇',
  users: adminUsers,
  costs: adminCosts,
  bots: adminBots,
  invitations: adminInvitations,
  tokens: adminTokens,
};
