import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { ReadModelBuilding } from '@parlance/read-models';
import { type KnownBudget, KnownBudgets } from '../projections/known-budgets.ts';

/** The user and the cause of a cost. */
export interface Payer {
  readonly userId: string;
  /** Called only if there is a budget of a group. */
  groups(): Promise<readonly string[]>;
  readonly botId: string | null;
  /** The API key of a program. Null for a user. */
  readonly keyId: string | null;
  /** For a call of a model by a program. */
  readonly tokenId?: string;
  readonly costCentre?: string | null;
}

/** After this time the budgets are read again in the background. */
const FRESH_MILLIS = 1_000;
/** After this time the budgets in memory are no longer used. */
const USABLE_MILLIS = 10_000;

/** How long messages wait for the budgets, which are read from analytics at the first start of a release. */
const BUILT_WITHIN_MILLIS = 5_000;
const RETRY_EVERY_MILLIS = 50;

type Index = ReadonlyMap<string, readonly KnownBudget[]>;

/** Keeps the budgets in memory, so that a message without an applicable budget needs no read. */
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

  /** Rejects with a transient error when the budgets cannot be read. */
  async to({ userId, groups, botId, keyId, tokenId, costCentre = null }: Payer): Promise<readonly KnownBudget[]> {
    await this.ensureRead();
    if (this.index.size === 0) return [];
    const keys = [
      'all',
      keyOf('user', userId),
      ...(this.hasGroups ? await groups() : []).map((group) => keyOf('group', group)),
      ...(botId === null ? [] : [keyOf('bot', botId)]),
      ...(keyId === null ? [] : [keyOf('key', keyId)]),
      ...(tokenId === undefined ? [] : [keyOf('token', tokenId)]),
      ...(costCentre === null ? [] : [keyOf('cost_centre', costCentre)]),
    ];
    return keys.flatMap((key) => this.index.get(key) ?? []);
  }

  /** The budgets with these IDs, without those that no longer exist. */
  async named(ids: readonly string[]): Promise<readonly KnownBudget[]> {
    await this.ensureRead();
    return [...this.index.values()].flat().filter(({ id }) => ids.includes(id));
  }

  private async ensureRead(): Promise<void> {
    const age = this.clock.steady() - this.readAt;
    if (age > USABLE_MILLIS) await this.read();
    // Errors are reported once the budgets in memory are too old.
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
        await setTimeout(RETRY_EVERY_MILLIS);
      }
    }
  }

  private async readAll(): Promise<void> {
    const began = this.clock.steady();
    const all = await this.known();
    this.index = Map.groupBy(all, ({ scope, scope_id }) => (scope_id === null ? scope : keyOf(scope, scope_id)));
    this.hasGroups = all.some(({ scope }) => scope === 'group');
    this.readAt = began;
  }
}

const keyOf = (scope: KnownBudget['scope'], id: string): string => `${scope}/${id}`;
