import { Injectable } from '@nestjs/common';
import { type Instant, Instant as Instants } from '@parlance/decider';
import type { ModelCatalogue } from '@parlance/config';
import { costOf, nanoPerMillion } from '@parlance/money';
import { ReadModels } from '@parlance/read-models';
import type { Usage } from '../../domain/conversation-events.ts';
import { cacheWriteHourOf, type ModelPrices as PricesOfModel, type Price } from '../../domain/model-prices.ts';
import { modelPriceRows } from '../../projections/model-prices.ts';

/** How old prices may be that are used for estimates. */
const RECENT_MILLIS = 1_000;

type Configured = ModelCatalogue['models'][number]['prices'][number];
/** Prices of cached tokens may be left out. Then they equal the price of other input. */
type PriceInDollars = Pick<Configured, 'from' | 'input' | 'output'> & Partial<Configured>;

/** Converts a price in dollars from a catalogue or a request. Throws RangeError if it has more than 9 decimals or is too high. */
export const priceOf = ({ from, input, output, cache_read, cache_write, cache_write_1h, web_search }: PriceInDollars): Price => ({
  from: Instants.parse(from),
  input: nanoPerMillion(input),
  output: nanoPerMillion(output),
  cacheRead: nanoPerMillion(cache_read ?? input),
  cacheWrite: nanoPerMillion(cache_write ?? input),
  ...(cache_write_1h != null && { cacheWriteHour: nanoPerMillion(cache_write_1h) }),
  ...(web_search != null && { webSearch: nanoPerMillion(web_search) }),
});

/** The price at a time: the latest one that has begun. A price that was set replaces a configured one from the same time. */
export function priceAt(configured: readonly Price[], set: readonly Price[], at: Instant): Price | null {
  let last: Price | null = null;
  for (const price of configured) if (price.from <= at && (last === null || price.from >= last.from)) last = price;
  for (const price of set) if (price.from <= at && (last === null || price.from >= last.from)) last = price;
  return last;
}

/** The price of searches is for a thousand of them, that of tokens for a million. */
const SEARCHES_OF_A_PRICE = 1_000;

/** The cost of using a model, in nano-dollars. Without a price it is free. */
export function costAt(price: Price | null, usage: Usage): number {
  if (!price) return 0;
  const { cacheWriteHourTokens: forHour = 0, webSearches = 0 } = usage;
  const uncached = usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens;
  return (
    costOf(uncached, price.input) +
    costOf(usage.outputTokens, price.output) +
    costOf(usage.cacheReadTokens, price.cacheRead) +
    costOf(usage.cacheWriteTokens - forHour, price.cacheWrite) +
    costOf(forHour, cacheWriteHourOf(price)) +
    costOf(webSearches * SEARCHES_OF_A_PRICE, price.webSearch ?? 0)
  );
}

type Rows = ReadonlyMap<string, PricesOfModel>;

/** The prices that administrators have set. */
@Injectable()
export class ModelPrices {
  /** The next read, which has not started yet. A read that has already started may miss a price that was set since. */
  private next: { readonly ids: Set<string>; readonly rows: Promise<Rows> } | null = null;
  private reading: Promise<unknown> = Promise.resolve();
  private readonly recent = new Map<string, { readonly set: readonly Price[]; readonly until: number }>();

  constructor(private readonly models: ReadModels) {}

  /** All prices that were set before this call. Concurrent calls share a read. */
  async of(id: string): Promise<readonly Price[]> {
    const next = (this.next ??= this.nextRead());
    next.ids.add(id);
    const set = (await next.rows).get(id)?.prices ?? [];
    this.recent.set(id, { set, until: performance.now() + RECENT_MILLIS });
    return set;
  }

  /** As `of`, but up to a second old. For estimates. */
  async recentOf(id: string): Promise<readonly Price[]> {
    const known = this.recent.get(id);
    return known && known.until > performance.now() ? known.set : this.of(id);
  }

  async ofMany(ids: readonly string[]): Promise<Rows> {
    return this.models.getMany(modelPriceRows, ids);
  }

  private nextRead() {
    const ids = new Set<string>();
    const rows = this.reading.then(() => {
      this.next = null;
      return this.models.getMany(modelPriceRows, [...ids]);
    });
    this.reading = rows.catch(() => undefined);
    return { ids, rows };
  }
}
