import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, PagedRounds } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import { ExportFiles } from '../../adapters/exports/export-files.ts';
import { ExecuteExport } from '../../commands/aggregates.ts';
import { dayOfHour, firstHourOf, hourAt, hoursOf, type Period } from '../../domain/export-period.ts';
import { type ConversationInHourRow, ConversationsInHour, oldestHourKept } from '../../projections/exports/export-index.ts';
import { ExportsBetween, type ExportRow } from '../../projections/exports/export-rows.ts';
import { LEASE_MILLIS } from './export-writer.ts';

const DAY_MILLIS = 86_400_000;
const PAGE = 500;
const FIRST = '0000000000';

interface Rule {
  readonly rule_id: string;
  readonly days: number;
}

interface HeldSubjects {
  readonly user_ids: readonly string[];
  readonly bot_ids: readonly string[];
}

/**
 * Removes the files of exports according to the retention rules of administrators. Inference has the rules, and identity the holds. A day is removed
 * completely, so that its file is never rewritten because one of its hours was removed.
 */
@Injectable()
export class ExportRetention {
  /**
   * Past days with conversations on hold. They are cached because a search reads all conversations of a day, and a past day gets no
   * further conversations.
   */
  private kept = { holds: '', days: new Set<Period>() };
  private isStopping = false;
  private readonly rounds = new PagedRounds<ExportRow, AsyncGenerator<ExportRow, void>>(
    'old exports could not be removed',
    ({ period }) => period,
  );

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly files: ExportFiles,
    private readonly clock: Clock,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'analytics: removal of exports by retention rules', () => {
      this.isStopping = true;
    });
  }

  /**
   * The first hour that is still written. Rejects while inference does not answer, because a file that a rule has removed must not be
   * written again.
   */
  async oldestWritten(): Promise<Period> {
    const rule = await this.rule();
    const oldest = oldestHourKept(this.clock.now());
    if (!rule) return oldest;
    const first = firstHourOf(this.firstDayKept(rule.days));
    return first > oldest ? first : oldest;
  }

  /** One round. Two processes may run one at the same time: each file is claimed before it is removed. */
  async removeOld(): Promise<void> {
    const rule = this.files.isThere ? await this.rule() : null;
    if (!rule) return;
    await this.rounds.run(
      async (after) => {
        const files = after ?? this.before(rule.days);
        const { value, done } = await files.next();
        return { rows: done ? [] : [value], next: done ? null : files };
      },
      async ({ period }) => {
        // The page may be of an earlier round, and the rule keeps more days now.
        if (period >= this.firstDayKept(rule.days)) return;
        // Asked for each file, because a hold may be placed during a long round.
        const held = await this.calls.get<HeldSubjects>('identity', '/internal/holds/subjects');
        if (!(await this.isHeld(dayOfHour(period), held))) await this.remove(period, rule.rule_id);
      },
      { millis: Infinity, isStopping: () => this.isStopping },
    );
  }

  /** How many files a rule with these days covers, including those of conversations on hold. */
  async count(days: number): Promise<number> {
    let files = 0;
    for await (const _ of this.before(days)) files++;
    return files;
  }

  /** The rows change while they are read. */
  private async *before(days: number): AsyncGenerator<ExportRow, void> {
    const first = this.firstDayKept(days);
    for (const kind of ['day', 'hour'] as const)
      for (let from = FIRST; ;) {
        const rows = await this.queries.execute(new ExportsBetween(kind, from, first, PAGE));
        const isAgain = ({ period }: ExportRow) => period === from;
        for (const row of rows) if (row.written && row.period < first && !isAgain(row)) yield row;
        if (rows.length < PAGE) break;
        from = rows.at(-1)!.period;
      }
  }

  private async remove(period: Period, ruleId: string): Promise<void> {
    const claim = newId();
    const now = this.clock.now();
    try {
      // While the claim lasts, no process writes a new file over the one being removed.
      const until = Instant.plus(now, LEASE_MILLIS);
      await this.commands.execute(new ExecuteExport(period, { type: 'ClaimForRemoval', claim, now, until }));
      await this.files.remove(period);
      // If the claim is lost, an erasure has requested a rewrite. Then the export remains, and another round removes its file.
      await this.commands.execute(new ExecuteExport(period, { type: 'Expire', ruleId, claim }));
    } catch (error) {
      // The export is being written, or another process has removed it. The next round checks again.
      if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
    }
  }

  private async isHeld(day: Period, held: HeldSubjects): Promise<boolean> {
    const holds = JSON.stringify(held);
    if (this.kept.holds !== holds) this.kept = { holds, days: new Set() };
    if (this.kept.days.has(day)) return true;
    const [users, bots] = [new Set(held.user_ids), new Set(held.bot_ids)];
    if (users.size + bots.size === 0) return false;
    const isOnHold = ({ user_id, bot_id }: ConversationInHourRow) => users.has(user_id) || (bot_id !== null && bots.has(bot_id));
    for (const hour of hoursOf(day))
      for (let after: Cursor | null = null; ;) {
        const { rows, next }: { rows: readonly ConversationInHourRow[]; next: Cursor | null } = await this.queries.execute(
          new ConversationsInHour(hour, PAGE, after),
        );
        if (rows.some(isOnHold)) {
          this.kept.days.add(day);
          return true;
        }
        if (next === null) break;
        after = next;
      }
    return false;
  }

  private firstDayKept(days: number): Period {
    return dayOfHour(hourAt(Instant.plus(this.clock.now(), -days * DAY_MILLIS)));
  }

  private async rule(): Promise<Rule | null> {
    return (await this.calls.get<{ rule: Rule | null }>('inference', '/internal/retention/exports')).rule;
  }
}
