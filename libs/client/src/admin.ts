import type {
  AdminUser,
  AmendUserBody,
  AuditEntry,
  BotCosts,
  Budget,
  BudgetBody,
  CostSummary,
  CreatedUser,
  CreateUserBody,
  DeadLetterList,
  DeadLetterRedrive,
  ErasureReceipt,
  Group,
  Health,
  Model,
  PasswordResetOffer,
  RedriveBody,
  User,
  UserConversation,
  UserCosts,
} from './generated/api.ts';
import type { Transport } from './transport.ts';
import { type CallOptions, type Request, TypedApi } from './typed-api.ts';

type CostQuery = NonNullable<Request<'/admin/costs/summary', 'get'>['query']>;
type UsersQuery = NonNullable<Request<'/admin/users', 'get'>['query']>;
type UserCostsQuery = NonNullable<Request<'/admin/costs/users/{userId}', 'get'>['query']>;
type BotCostsQuery = NonNullable<Request<'/admin/costs/bots/{botId}', 'get'>['query']>;
type DeadLettersQuery = NonNullable<Request<'/admin/health/dead-letters', 'get'>['query']>;
type AuditQuery = NonNullable<Request<'/admin/audit-logs', 'get'>['query']>;

/** Common operations of administrators. All others are in `Parlance.api`. */
export class Admin {
  private readonly api: TypedApi;

  constructor(transport: Transport) {
    this.api = new TypedApi(transport);
  }

  /** Users with their usage. */
  users(query: UsersQuery = {}): AsyncGenerator<AdminUser, void, undefined> {
    return this.api.list('/admin/users', { query });
  }

  createUser(body: CreateUserBody, options: CallOptions = {}): Promise<CreatedUser> {
    return this.api.post('/admin/users', { body, ...options });
  }

  user(userId: string): Promise<User> {
    return this.api.get('/admin/users/{userId}', { path: { userId } });
  }

  /** Renames, enables or disables a user. */
  changeUser(userId: string, body: AmendUserBody, options: CallOptions = {}): Promise<User> {
    return this.api.patch('/admin/users/{userId}', { path: { userId }, body, ...options });
  }

  /** Erases a user with all content. The receipt says what was removed. */
  eraseUser(userId: string): Promise<ErasureReceipt> {
    return this.api.delete('/admin/users/{userId}', { path: { userId } });
  }

  offerPasswordReset(userId: string): Promise<PasswordResetOffer> {
    return this.api.post('/admin/users/{userId}/password-reset', { path: { userId } });
  }

  addToGroup(userId: string, group: string): Promise<User> {
    return this.api.put('/admin/users/{userId}/groups/{group}', { path: { userId, group } });
  }

  async removeFromGroup(userId: string, group: string): Promise<void> {
    await this.api.delete('/admin/users/{userId}/groups/{group}', { path: { userId, group } });
  }

  groups(): AsyncGenerator<Group, void, undefined> {
    return this.api.list('/admin/groups');
  }

  costs(query: CostQuery = {}): Promise<CostSummary> {
    return this.api.get('/admin/costs/summary', { query });
  }

  userCosts(userId: string, query: UserCostsQuery = {}): Promise<UserCosts> {
    return this.api.get('/admin/costs/users/{userId}', { path: { userId }, query });
  }

  botCosts(botId: string, query: BotCostsQuery = {}): Promise<BotCosts> {
    return this.api.get('/admin/costs/bots/{botId}', { path: { botId }, query });
  }

  /** The conversations of a user. The audit log records who reads them. */
  userConversations(userId: string): AsyncGenerator<UserConversation, void, undefined> {
    return this.api.list('/admin/users/{userId}/conversations', { path: { userId } });
  }

  auditLog(query: AuditQuery = {}): AsyncGenerator<AuditEntry, void, undefined> {
    return this.api.list('/admin/audit-logs', { query });
  }

  budgets(): AsyncGenerator<Budget, void, undefined> {
    return this.api.list('/admin/budgets');
  }

  setBudget(body: BudgetBody): Promise<Budget> {
    return this.api.put('/admin/budgets', { body });
  }

  /** The state of all services, their stores and the broker. */
  health(): Promise<Health> {
    return this.api.get('/admin/health');
  }

  /** The oldest events that a service could not handle. */
  deadLetters(query: DeadLettersQuery): Promise<DeadLetterList> {
    return this.api.get('/admin/health/dead-letters', { query });
  }

  /** Delivers dead letters to their service again: those with the IDs, or all. */
  redriveDeadLetters(body: RedriveBody, options: CallOptions = {}): Promise<DeadLetterRedrive> {
    return this.api.post('/admin/health/dead-letters/redrive', { body, ...options });
  }

  models(): AsyncGenerator<Model, void, undefined> {
    return this.api.list('/admin/models');
  }
}
