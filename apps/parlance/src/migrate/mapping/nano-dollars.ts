const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const NANO_DIGITS = 9;

/** Converts a DynamoDB number to nano-dollars, rounded half up; null if it is not an amount. A float would lose digits. */
export function nanoDollarsOf(text: string): number | null {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = NANO_DIGITS - fraction.length + Number(exponent);
  const nano = shift >= 0 ? digits * 10n ** BigInt(shift) : (digits + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift);
  return nano <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(nano) : null;
}
