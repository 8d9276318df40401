/** A fraction in lowest terms. The denominator is positive. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Thrown for an expression that has no value or cannot be computed here. The model sees the message. */
export class NoValue extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoValue';
  }
}

/** Bits of a number. Sums and products of such numbers take microseconds. */
const MOST_BITS = 16_384;
/** Digits after the decimal point of a number without an exact decimal form. */
const ROUNDED_DIGITS = 30;

export const whole = (value: bigint): Rational => ({ top: value, bottom: 1n });

export function fraction(top: bigint, bottom: bigint): Rational {
  if (bottom === 0n) throw new NoValue('A division by zero has no value.');
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = greatestDivisor(top < 0n ? -top : top, bottom * sign);
  const lowest = { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor };
  if (bitsOf(lowest.top) > MOST_BITS || bitsOf(lowest.bottom) > MOST_BITS) throw new NoValue('The numbers become too large.');
  return lowest;
}

export const sum = (a: Rational, b: Rational): Rational => fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const negative = ({ top, bottom }: Rational): Rational => ({ top: -top, bottom });
export const difference = (a: Rational, b: Rational): Rational => sum(a, negative(b));
export const product = (a: Rational, b: Rational): Rational => fraction(a.top * b.top, a.bottom * b.bottom);
export const quotient = (a: Rational, b: Rational): Rational => fraction(a.top * b.bottom, a.bottom * b.top);
export const isLess = (a: Rational, b: Rational): boolean => a.top * b.bottom < b.top * a.bottom;

/** The greatest integer that is not greater than the fraction. */
export function floor({ top, bottom }: Rational): Rational {
  const towardsZero = top / bottom;
  return whole(top < 0n && top % bottom !== 0n ? towardsZero - 1n : towardsZero);
}

/** With the sign of the divisor, as in mathematics. */
export const remainder = (a: Rational, b: Rational): Rational => difference(a, product(b, floor(quotient(a, b))));

export function power(base: Rational, exponent: Rational): Rational {
  if (exponent.bottom !== 1n) throw new NoValue('The exponent must be a whole number. Use sqrt for square roots.');
  const size = exponent.top < 0n ? -exponent.top : exponent.top;
  const bits = BigInt(Math.max(bitsOf(base.top), bitsOf(base.bottom)) - 1);
  if (size * bits > MOST_BITS || size > 1_000_000n) {
    if (bits > 0n) throw new NoValue('The numbers become too large.');
    return size % 2n === 0n ? product(base, base) : base;
  }
  if (exponent.top < 0n && base.top === 0n) throw new NoValue('A division by zero has no value.');
  const [top, bottom] = [base.top ** size, base.bottom ** size];
  return exponent.top < 0n ? fraction(bottom, top) : fraction(top, bottom);
}

/** Exact where the root is a fraction. Otherwise it has more digits than are shown. */
export function squareRoot({ top, bottom }: Rational): Rational {
  if (top < 0n) throw new NoValue('A negative number has no real square root.');
  const [exactTop, exactBottom] = [rootOf(top), rootOf(bottom)];
  if (exactTop * exactTop === top && exactBottom * exactBottom === bottom) return fraction(exactTop, exactBottom);
  const scale = 10n ** BigInt(2 * ROUNDED_DIGITS);
  return fraction(rootOf((top * scale * scale) / bottom), scale);
}

/** `isExact` is false if digits were cut off. */
export function decimalOf({ top, bottom }: Rational): { readonly text: string; readonly isExact: boolean } {
  const [sign, size] = top < 0n ? ['-', -top] : ['', top];
  const scale = 10n ** BigInt(ROUNDED_DIGITS);
  const isExact = (size * scale) % bottom === 0n;
  const digits = ((2n * size * scale + bottom) / (2n * bottom)).toString().padStart(ROUNDED_DIGITS + 1, '0');
  const fractionDigits = digits.slice(-ROUNDED_DIGITS).replace(/0+$/, '');
  return { text: `${sign}${digits.slice(0, -ROUNDED_DIGITS)}${fractionDigits === '' ? '' : `.${fractionDigits}`}`, isExact };
}

/** Newton's method on whole numbers. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((bitsOf(value) + 1) >> 1);
  for (;;) {
    const better = (guess + value / guess) >> 1n;
    if (better >= guess) return guess;
    guess = better;
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** An upper bound of the bits of a number: four for each hexadecimal digit. */
const bitsOf = (value: bigint): number => (value < 0n ? -value : value).toString(16).length * 4;
