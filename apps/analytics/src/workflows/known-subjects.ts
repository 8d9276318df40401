import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import { WasThere } from '../projections/directory.ts';

/**
 * Checks whether a group, an API key or a token exists, and whether a user or a bot exists or has existed. The directory also contains erased users and deleted bots;
 * identity and bots also know users and bots whose events have not arrived here yet.
 */
@Injectable()
export class KnownSubjects {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
  ) {}

  /** Throws the refusal `user_not_found`. */
  async requireUser(userId: string): Promise<void> {
    if (!(await this.hasUser(userId))) throw refuse('missing', 'user_not_found', 'There is no such user.');
  }

  async hasUser(userId: string): Promise<boolean> {
    if (await this.queries.execute(new WasThere('user', userId))) return true;
    const { users } = await this.calls.post<{ users: readonly object[] }>(
      'identity',
      '/internal/users/persons',
      { user_ids: [userId] },
      HARMLESS,
    );
    return users.length > 0;
  }

  /** False for a deleted group. */
  async hasGroup(name: string): Promise<boolean> {
    try {
      await this.calls.get('identity', `/admin/groups/${encodeURIComponent(name)}`);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'group_not_found') return false;
      throw error;
    }
  }

  /** Throws the refusal `bot_not_found`. */
  async requireBot(botId: string): Promise<void> {
    if (!(await this.hasBot(botId))) throw refuse('missing', 'bot_not_found', 'There is no such bot.');
  }

  async hasBot(botId: string): Promise<boolean> {
    if (await this.queries.execute(new WasThere('bot', botId))) return true;
    const { titles } = await this.calls.post<{ titles: object }>('bots', '/internal/bots/titles', { bot_ids: [botId] }, HARMLESS);
    return Object.hasOwn(titles, botId);
  }

  /** False for a revoked token. */
  async hasToken(tokenId: string): Promise<boolean> {
    const body = { token_ids: [tokenId] };
    const { tokens } = await this.calls.post<{ tokens: readonly object[] }>(
      'identity',
      '/internal/personal-tokens/described',
      body,
      HARMLESS,
    );
    return tokens.length > 0;
  }

  /** False for a revoked key. */
  async hasKey(keyId: string): Promise<boolean> {
    const body = { key_ids: [keyId] };
    const { descriptions } = await this.calls.post<{ descriptions: object }>(
      'publication',
      '/internal/api-keys/descriptions',
      body,
      HARMLESS,
    );
    return Object.hasOwn(descriptions, keyId);
  }
}
