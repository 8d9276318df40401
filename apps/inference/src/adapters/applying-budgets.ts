import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { ReadModelBuilding } from '@parlance/read-models';
import { type KnownBudget, KnownBudgets } from '../projections/known-budgets.ts';

/** The cause and the user of a cost. */
export interface Payer {
  readonly userId: string;
  /** Asked only where a budget is for a group. */
  groups(): Promise<readonly string[]>;
  readonly botId: string | null;
  /** The API key of a program; null for a user. */
  readonly keyId: string | null;
}

/** After this time the budgets are read again, while those in memory are used … */
const FRESH_MILLIS = 1_000;
/** … and after this time nothing is accepted without them. */
const USABLE_MILLIS = 10_000;

/** At the first start of a release the budgets are read from analytics. Messages wait for them so long. */
const BUILT_WITHIN_MILLIS = 5_000;
const LOOK_EVERY_MILLIS = 50;

type Index = ReadonlyMap<string, readonly KnownBudget[]>;

/** The budgets in memory, so that a message to which none applies costs no read. */
@Injectable()
export class ApplyingBudgets {
  private index: Index = new Map();
  private hasGroups = false;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /** Rejects when the budgets cannot be read, with an error that is transient. */
  async to({ userId, groups, botId, keyId }: Payer): Promise<readonly KnownBudget[]> {
    await this.beKnown();
    if (this.index.size === 0) return [];
    const places = [
      'all',
      place('user', userId),
      ...(this.hasGroups ? await groups() : []).map((group) => place('group', group)),
      ...(botId === null ? [] : [place('bot', botId)]),
      ...(keyId === null ? [] : [place('key', keyId)]),
    ];
    return places.flatMap((key) => this.index.get(key) ?? []);
  }

  /** Those of these IDs that still exist. */
  async named(ids: readonly string[]): Promise<readonly KnownBudget[]> {
    await this.beKnown();
    return [...this.index.values()].flat().filter(({ id }) => ids.includes(id));
  }

  private async beKnown(): Promise<void> {
    const age = this.clock.steady() - this.readAt;
    if (age > USABLE_MILLIS) await this.read();
    // An error is told when those in memory are too old.
    else if (age > FRESH_MILLIS) this.read().catch(() => undefined);
  }

  private read(): Promise<void> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = null)));
  }

  private async known(): Promise<readonly KnownBudget[]> {
    const until = this.clock.steady() + BUILT_WITHIN_MILLIS;
    for (;;) {
      try {
        return await this.queries.execute(new KnownBudgets());
      } catch (error) {
        if (!(error instanceof ReadModelBuilding) || this.clock.steady() > until) throw error;
        await setTimeout(LOOK_EVERY_MILLIS);
      }
    }
  }

  private async readAll(): Promise<void> {
    const began = this.clock.steady();
    const all = await this.known();
    this.index = Map.groupBy(all, ({ scope, scope_id }) => (scope_id === null ? scope : place(scope, scope_id)));
    this.hasGroups = all.some(({ scope }) => scope === 'group');
    this.readAt = began;
  }
}

const place = (scope: KnownBudget['scope'], id: string): string => `${scope}/${id}`;
