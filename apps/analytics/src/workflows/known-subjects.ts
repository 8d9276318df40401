import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import { WasThere } from '../projections/directory.ts';

/**
 * Checks whether a group exists, and whether a user or a bot exists or has existed. The directory also contains erased users and deleted bots;
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
    if (await this.queries.execute(new WasThere('user', userId))) return;
    const { users } = await this.calls.post<{ users: readonly object[] }>(
      'identity',
      '/internal/users/persons',
      { user_ids: [userId] },
      HARMLESS,
    );
    if (users.length === 0) throw refuse('missing', 'user_not_found', 'There is no such user.');
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
    if (await this.queries.execute(new WasThere('bot', botId))) return;
    const { titles } = await this.calls.post<{ titles: object }>('bots', '/internal/bots/titles', { bot_ids: [botId] }, HARMLESS);
    if (!Object.hasOwn(titles, botId)) throw refuse('missing', 'bot_not_found', 'There is no such bot.');
  }
}
