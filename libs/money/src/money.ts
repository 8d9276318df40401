const NANO = 1_000_000_000;
const MILLION = 1_000_000n;

/**
 * The interface's form of an amount: dollars, from integer nano-dollars. The division is rounded once, to the nearest
 * double, so the JSON text has at most 9 decimals; it is the exact amount up to 2^23 dollars, and beyond that (where
 * doubles lie further apart than a nano-dollar) the nearest there is.
 * Throws RangeError when the amount is no safe integer: a sum that outgrew its type must not be shown as money.
 */
export function dollars(nano: number): number {
  if (!Number.isSafeInteger(nano)) throw new RangeError(`${nano} is not an amount in nano-dollars`);
  return nano / NANO;
}

const PRICE = /^(\d{1,7})(?:\.(\d{1,9}))?$/;

/**
 * A price in dollars per million tokens, as catalogues state it, in nano-dollars per million tokens.
 * Throws RangeError for what is negative, finer than a nano-dollar or above 9 million dollars: such a price is an error of typing.
 */
export function nanoPerMillion(price: number | string): number {
  const match = PRICE.exec(plain(price));
  const nano = match === null ? Number.NaN : Number(match[1]) * NANO + Number((match[2] ?? '').padEnd(9, '0'));
  if (!Number.isSafeInteger(nano)) throw new RangeError(`${price} is not a price: dollars per million tokens, at most 9 decimals`);
  return nano;
}

/** An amount in dollars, with at most 9 decimals, in nano-dollars. Throws RangeError as `nanoPerMillion` does. */
export const nanoDollars = nanoPerMillion;

/** Numbers below 1e-6 print in scientific notation; `toFixed` would round them, so the exponent is resolved by hand. */
function plain(price: number | string): string {
  const text = String(price);
  const scientific = typeof price === 'number' ? /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) : null;
  if (scientific === null) return text;
  const [, whole = '', decimals = '', exponent] = scientific;
  return `0.${'0'.repeat(Number(exponent) - 1)}${whole}${decimals}`;
}

/**
 * The most that one kind of tokens of a call, or a call as an administrator states it, costs: 10,000 dollars. The dearest models need a hundred million tokens for that, so a higher
 * cost is a mistake of a report or of a price. Without this limit, two such mistakes would make sums of a month that are no safe integers.
 */
export const HIGHEST_CHARGE = 10_000 * NANO;

/**
 * What a number of tokens of one kind costs, in nano-dollars, rounded half up once per kind and call: at most `HIGHEST_CHARGE`. The product can
 * pass 2^53, so it is taken in BigInt.
 * Throws RangeError when either figure is negative or no safe integer.
 */
export function costOf(tokens: number, pricePerMillion: number): number {
  if (!isCount(tokens) || !isCount(pricePerMillion)) throw new RangeError(`no cost of ${tokens} tokens at ${pricePerMillion}`);
  return Math.min(Number((BigInt(tokens) * BigInt(pricePerMillion) + MILLION / 2n) / MILLION), HIGHEST_CHARGE);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
