import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Cursor } from '@parlance/read-models';
import { CallRecords } from '../../projections/calls/call-records.ts';
import { type CallsCursor, type CallsFilter, concerns, hourOf, RecordedCalls } from './recorded-calls.ts';

export interface CallAmounts {
  readonly calls: number;
  readonly nanoDollars: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface SummedCalls {
  readonly total: CallAmounts;
  /** The earliest first. Days in UTC without calls are left out. */
  readonly days: readonly (CallAmounts & { readonly date: string })[];
  /** Null if all calls are included. Otherwise those that began before this hour (2026-11-29T06) are not. */
  readonly from: string | null;
}

/** How many pages one sum reads, and how many items a page has. A page of calls looks at 5,000 calls at most, of which it has the matching ones. */
interface Work {
  readonly pages: number;
  readonly items: number;
}
const MOST_RECORDS: Work = { pages: 100, items: 1_000 };
const MOST_CALLS: Work = { pages: 20, items: 1_000 };
const HOUR_MILLIS = 3_600_000;
export const NO_CALLS: CallAmounts = { calls: 0, nanoDollars: 0, inputTokens: 0, outputTokens: 0 };

/** Sums of calls. They begin with the newest hour, and end at the first hour that is too much work, which is then left out. */
@Injectable()
export class CallSums {
  constructor(
    private readonly queries: QueryBus,
    private readonly recorded: RecordedCalls,
  ) {}

  async of(filter: CallsFilter, most?: Work): Promise<SummedCalls> {
    const hours = new Map<string, CallAmounts>();
    const { model, costCentre, tag, status } = filter;
    const isByRecord = model === null && costCentre === null && tag === null && status === null;
    const cut = isByRecord ? await this.addRecords(filter, hours, most) : await this.addCalls(filter, hours, most);
    const included = [...hours].filter(([hour]) => cut === null || hour > cut);
    const days = new Map<string, CallAmounts>();
    for (const [hour, amounts] of included) add(days, hour.slice(0, 10), amounts);
    return {
      total: included.reduce((sum, [, amounts]) => plus(sum, amounts), NO_CALLS),
      days: [...days].map(([date, amounts]) => ({ date, ...amounts })).toSorted((a, b) => (a.date < b.date ? -1 : 1)),
      from: cut && hourAfter(cut),
    };
  }

  /** Adds the sums of records by hour. Returns the last hour if it may be incomplete. */
  private async addRecords(filter: CallsFilter, hours: Map<string, CallAmounts>, most = MOST_RECORDS): Promise<string | null> {
    let after: Cursor | null = null;
    for (let pages = 1; ; pages++) {
      const { rows, next }: Awaited<ReturnType<typeof this.rows>> = await this.rows(filter, after, most.items);
      for (const row of rows) {
        if (!concerns(row, filter)) continue;
        const { calls, nano_dollars: nanoDollars, input_tokens: inputTokens, output_tokens: outputTokens } = row;
        add(hours, row.hour, { calls, nanoDollars, inputTokens, outputTokens });
      }
      if (next === null) return null;
      if (pages >= most.pages) return rows.at(-1)!.hour;
      after = next;
    }
  }

  private rows(filter: CallsFilter, after: Cursor | null, limit: number) {
    return this.queries.execute(new CallRecords({ ...filter, after, limit }));
  }

  /** As `addRecords`, from the calls themselves: records have no sums by model, status, cost centre and tag. */
  private async addCalls(filter: CallsFilter, hours: Map<string, CallAmounts>, most = MOST_CALLS): Promise<string | null> {
    let cursor: CallsCursor | null = null;
    for (let pages = 1; ; pages++) {
      const { calls, next } = await this.recorded.page(filter, most.items, cursor);
      for (const { begunAt, costNanoDollars: nanoDollars, usage } of calls)
        add(hours, hourOf(begunAt), { calls: 1, nanoDollars, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });
      if (next === null) return null;
      if (pages >= most.pages) return next.hour;
      cursor = next;
    }
  }
}

function add(sums: Map<string, CallAmounts>, key: string, amounts: CallAmounts): void {
  sums.set(key, plus(sums.get(key) ?? NO_CALLS, amounts));
}

const plus = (a: CallAmounts, b: CallAmounts): CallAmounts => ({
  calls: a.calls + b.calls,
  nanoDollars: a.nanoDollars + b.nanoDollars,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

const hourAfter = (hour: string): string => new Date(Date.parse(`${hour}:00:00Z`) + HOUR_MILLIS).toISOString().slice(0, 13);
