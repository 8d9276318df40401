import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';

/** Checks whether a user or a bot exists, if this service has no record of them. Both methods reject with `unavailable` while the other service does not answer. */
@Injectable()
export class KnownSubjects {
  constructor(private readonly calls: ServiceCalls) {}

  /** Throws the refusal `user_not_found` (missing), even for an erased user. */
  async requireUser(userId: string): Promise<void> {
    const { users } = await this.calls.post<{ users: readonly object[] }>(
      'identity',
      '/internal/users/persons',
      { user_ids: [userId] },
      HARMLESS,
    );
    if (users.length === 0) throw refuse('missing', 'user_not_found', 'There is no such user.');
  }

  /** Throws the refusal `bot_not_found` (missing). A deleted bot is known until its owner is erased. */
  async requireBot(botId: string): Promise<void> {
    const { titles } = await this.calls.post<{ titles: object }>('bots', '/internal/bots/titles', { bot_ids: [botId] }, HARMLESS);
    if (!Object.hasOwn(titles, botId)) throw refuse('missing', 'bot_not_found', 'There is no such bot.');
  }
}
