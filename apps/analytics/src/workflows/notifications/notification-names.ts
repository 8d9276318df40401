import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { StoredNotification } from '../../projections/notifications/notifications.ts';
import { SubjectNames } from '../subject-names.ts';

type Titles = Readonly<Record<string, string>>;
/** The titles of the bots and prompts that the user may see now, by ID. */
export interface SeenTitles {
  readonly bots: Titles;
  readonly prompts: Titles;
}

const NOTHING: SeenTitles = { bots: {}, prompts: {} };

/** Looks up the names of what notifications are about. */
@Injectable()
export class NotificationNames {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly names: SubjectNames,
  ) {}

  /** For the user of the request. Null while the bots service is unavailable, or is of an earlier release. */
  async seenTitles(all: readonly StoredNotification[]): Promise<SeenTitles | null> {
    const idsOf = (kind: StoredNotification['kind']) => all.filter((each) => each.kind === kind).map(({ subjectId }) => subjectId);
    const body = { bot_ids: idsOf('bot_shared'), prompt_ids: idsOf('prompt_shared') };
    if (body.bot_ids.length + body.prompt_ids.length === 0) return NOTHING;
    try {
      return await this.calls.post<SeenTitles>('bots', '/internal/seen-titles', body, HARMLESS);
    } catch (error) {
      if (error instanceof Refusal && (error.kind === 'unavailable' || error.code === 'no_such_route')) return null;
      throw error;
    }
  }

  /** The names of what budgets limit, by the ID of the notification. The user's own budget needs no name. A name that cannot be read is missing. */
  async ofBudgets(all: readonly StoredNotification[], userId: string): Promise<ReadonlyMap<string, string>> {
    const named = all.flatMap(({ id, budget }) => {
      if (!budget || budget.scope_id === null || budget.scope_id === userId) return [];
      return [{ id, scope: budget.scope, scopeId: budget.scope_id }];
    });
    const idsOf = (wanted: string) => [...new Set(named.filter(({ scope }) => scope === wanted).map(({ scopeId }) => scopeId))];
    const [{ user, bot }, keys, tokens] = await Promise.all([
      this.names.known({ users: idsOf('user'), bots: idsOf('bot') }),
      this.names.ofKeys(idsOf('key')),
      this.names.ofTokens(idsOf('token')),
    ]);
    const nameOf = (scope: string, id: string): string | undefined => {
      if (scope === 'user') return user.get(id);
      if (scope === 'bot') return bot.get(id);
      if (scope === 'key') return keys.get(id);
      // Groups and cost centres have no other ID than their name.
      return scope === 'token' ? tokens.get(id)?.description : id;
    };
    return new Map(
      named.flatMap(({ id, scope, scopeId }) => {
        const name = nameOf(scope, scopeId);
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  }
}
