import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { StoredNotification } from '../../projections/notifications/notifications.ts';
import { SubjectNames } from '../subject-names.ts';

type Titles = Readonly<Record<string, string>>;
/** The titles of the bots, prompts and projects that the user may see now, and of conversations whose replies wait for an approval, by ID of the reply. */
export interface SeenTitles {
  readonly bots: Titles;
  readonly prompts: Titles;
  readonly projects: Titles;
  readonly awaiting: Titles;
  /** The services that are unavailable, or are of an earlier release: what the user may see of theirs is unknown. */
  readonly missing: ReadonlySet<string>;
}

/** Looks up the names of what notifications are about. */
@Injectable()
export class NotificationNames {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly names: SubjectNames,
  ) {}

  /** For the user of the request. */
  async seenTitles(all: readonly StoredNotification[]): Promise<SeenTitles> {
    const idsOf = (kind: StoredNotification['kind']) => all.filter((each) => each.kind === kind).map(({ subjectId }) => subjectId);
    const [ofBots, ofInference] = await Promise.all([
      this.titlesAt('bots', '/internal/seen-titles', { bot_ids: idsOf('bot_shared'), prompt_ids: idsOf('prompt_shared') }),
      this.titlesAt('inference', '/internal/seen-titles', {
        project_ids: idsOf('project_shared'),
        awaiting_reply_ids: idsOf('approval_wanted'),
      }),
    ]);
    const missing = new Set([...(ofBots ? [] : ['bots']), ...(ofInference ? [] : ['inference'])]);
    return { bots: {}, prompts: {}, projects: {}, awaiting: {}, ...ofBots, ...ofInference, missing };
  }

  /** Null if they are unknown. */
  private async titlesAt(
    service: string,
    path: string,
    body: Readonly<Record<string, readonly string[]>>,
  ): Promise<Partial<SeenTitles> | null> {
    if (Object.values(body).every((ids) => ids.length === 0)) return {};
    try {
      return await this.calls.post<Partial<SeenTitles>>(service, path, body, HARMLESS);
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
