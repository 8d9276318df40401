/** A charge, as the service publishes it. */
export interface PublishedCharge {
  readonly type: string;
  readonly time: string;
  readonly data: {
    readonly user_id: string;
    readonly bot_id: string | null;
    readonly api_key_id?: string;
    readonly model: string;
    readonly usage: Readonly<Record<'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens', number>>;
    readonly cost_nano_dollars: number;
    readonly corrections?: readonly {
      readonly hour: string;
      readonly user_id: string;
      readonly bot_id: string | null;
      readonly api_key_id?: string;
      readonly model: string;
      readonly difference_nano_dollars: number;
    }[];
  };
}

/** Dollars per million tokens from a time on. */
export interface OraclePrice {
  readonly from: string;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
}

const nano = (dollars: number) => BigInt(Math.round(dollars * 1e9));
/** Rounded half up, for each kind of tokens of each call. */
const part = (tokens: number, price: number) => (BigInt(tokens) * nano(price) * 2n + 1_000_000n) / 2_000_000n;

/** The cost of a charge at the latest price that has begun. Null without a price. */
export function costAtLast(prices: readonly OraclePrice[], { time, data: { usage } }: PublishedCharge): bigint | null {
  const price = prices.findLast(({ from }) => Date.parse(from) <= Date.parse(time));
  if (!price) return null;
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  return (
    part(input_tokens - cache_read_tokens - cache_write_tokens, price.input) +
    part(output_tokens, price.output) +
    part(cache_read_tokens, price.cache_read) +
    part(cache_write_tokens, price.cache_write)
  );
}

type Place = Pick<PublishedCharge['data'], 'user_id' | 'bot_id' | 'api_key_id' | 'model'>;
const placeOf = (hour: string, { user_id, bot_id, api_key_id, model }: Place) => [hour, user_id, bot_id, api_key_id, model].join('|');

/** Sums amounts by hour, user, bot, key and model. Leaves out sums of zero. */
export class ByPlace {
  private readonly sums = new Map<string, bigint>();

  add(hour: string, place: Place, amount: bigint): void {
    const key = placeOf(hour, place);
    this.sums.set(key, (this.sums.get(key) ?? 0n) + amount);
  }

  get entries(): Readonly<Record<string, string>> {
    const all = [...this.sums].filter(([, amount]) => amount !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(all.map(([key, amount]) => [key, `${amount}`]));
  }
}
