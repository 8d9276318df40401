const NANO = 1_000_000_000;
const MILLION = 1_000_000n;

/**
 * The amount in dollars, as in answers, from integer nano-dollars. The division is rounded once, to the nearest double, so the JSON text has at
 * most 9 decimals. It is exact up to 2^23 dollars; above that, doubles are further apart than a nano-dollar. Throws RangeError if the amount is
 * not a safe integer, because such a sum has overflowed.
 */
export function dollars(nano: number): number {
  if (!Number.isSafeInteger(nano)) throw new RangeError(`${nano} is not an amount in nano-dollars`);
  return nano / NANO;
}

const PRICE = /^(\d{1,7})(?:\.(\d{1,9}))?$/;

/**
 * Converts a price in dollars per million tokens, as in catalogues, to nano-dollars per million tokens. Throws RangeError for a price that is
 * negative, finer than a nano-dollar or above 9 million dollars: such a price is a typing error.
 */
export function nanoPerMillion(price: number | string): number {
  const match = PRICE.exec(plain(price));
  const nano = match === null ? Number.NaN : Number(match[1]) * NANO + Number((match[2] ?? '').padEnd(9, '0'));
  if (!Number.isSafeInteger(nano)) throw new RangeError(`${price} is not a price: dollars per million tokens, at most 9 decimals`);
  return nano;
}

/** Converts an amount in dollars, with at most 9 decimals, to nano-dollars. Throws RangeError as `nanoPerMillion` does. */
export const nanoDollars = nanoPerMillion;

/** Numbers below 1e-6 print in scientific notation. The exponent is resolved here, because `toFixed` would round them. */
function plain(price: number | string): string {
  const text = String(price);
  const scientific = typeof price === 'number' ? /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) : null;
  if (scientific === null) return text;
  const [, whole = '', decimals = '', exponent] = scientific;
  return `0.${'0'.repeat(Number(exponent) - 1)}${whole}${decimals}`;
}

/**
 * The maximum cost of one kind of tokens of a call, or of a call that an administrator enters: 10,000 dollars. The most expensive models need a
 * hundred million tokens for that, so a higher cost comes from a wrong report or price. Without this limit, two such errors could make the sum of
 * a month exceed the safe integers.
 */
export const HIGHEST_CHARGE = 10_000 * NANO;

/**
 * The cost of a number of tokens of one kind in nano-dollars, rounded half up once per kind and call, at most `HIGHEST_CHARGE`. The product can
 * exceed 2^53, so it is computed with BigInt. Throws RangeError if either number is negative or not a safe integer.
 */
export function costOf(tokens: number, pricePerMillion: number): number {
  if (!isCount(tokens) || !isCount(pricePerMillion)) throw new RangeError(`no cost of ${tokens} tokens at ${pricePerMillion}`);
  return Math.min(Number((BigInt(tokens) * BigInt(pricePerMillion) + MILLION / 2n) / MILLION), HIGHEST_CHARGE);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
