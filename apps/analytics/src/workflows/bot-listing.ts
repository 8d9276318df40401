import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import type { Window } from '../domain/window.ts';
import { CostsOfAll, FiguresOfSome } from '../projections/in-window/costs-in-window.ts';
import { SomeOfMonth } from '../projections/in-window/usage-counts.ts';

/** Names of an icon and of a colour, and the ID of a picture, which only the bots service knows. */
interface Appearance {
  readonly icon: string | null;
  readonly colour: string | null;
  readonly picture: string | null;
}

/** A bot that is not private. */
export interface SharedBot extends Appearance {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly owner_user_id: string;
  readonly shared_scope: 'private' | 'partial' | 'all';
  readonly status: string;
}

/** The bots service of an earlier release does not return all of the appearance. */
type ShownBot = Omit<SharedBot, keyof Appearance> & Partial<Appearance>;

/** The cost in nano-dollars as billed, and the amount that restatements added. */
export interface Priced {
  readonly nano_dollars: number;
  readonly corrections?: number;
}

/** Bots with their cost in a window. Texts and scopes come from the bots service, figures from the rows of this service. */
@Injectable()
export class BotListing {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
  ) {}

  /** The IDs of the shared bots, highest cost first, then newest first. Without `isComplete`, only bots with usage. */
  async ids(window: Window, isComplete: boolean): Promise<readonly string[]> {
    const prices = await this.queries.execute(new CostsOfAll('bot', window));
    const shared = await this.sharedIds();
    const costOf = (id: string) => prices.get(id) ?? 0;
    const listed = isComplete ? shared : shared.filter((id) => prices.has(id));
    return listed.toSorted((a, b) => costOf(b) - costOf(a) || (a < b ? 1 : -1));
  }

  /** The IDs of all bots that are currently shared. */
  async sharedIds(): Promise<readonly string[]> {
    const shared: string[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const body: object = after === null ? {} : { after };
      const page: { readonly bot_ids: readonly string[]; readonly next: string | null } = await this.calls.post(
        'bots',
        '/internal/bots/shared',
        body,
        HARMLESS,
      );
      shared.push(...page.bot_ids);
      after = page.next;
    }
    return shared;
  }

  /** Costs by bot. */
  async pricesOf(botIds: readonly string[], window: Window): Promise<ReadonlyMap<string, Priced>> {
    if (window.month !== undefined) {
      const rows = await this.queries.execute(new SomeOfMonth('bot', window.month, botIds));
      return rows;
    }
    return this.queries.execute(new FiguresOfSome('bot', botIds, window));
  }

  /** The bots with these IDs that are currently shared. */
  async shown(botIds: readonly string[]): Promise<ReadonlyMap<string, SharedBot>> {
    if (botIds.length === 0) return new Map();
    const { bots } = await this.calls.post<{ bots: readonly ShownBot[] }>('bots', '/internal/bots/shown', { bot_ids: botIds }, HARMLESS);
    return new Map(bots.map((bot) => [bot.id, { icon: null, colour: null, picture: null, ...bot }]));
  }
}
