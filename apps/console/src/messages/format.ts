import { locale } from './locale.ts';

/** Times of the API are epoch seconds, or RFC 3339. */
const dateOf = (time: number | string): Date => (typeof time === 'number' ? new Date(time * 1_000) : new Date(time));

export const formatTime = (time: number | string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(dateOf(time));

export const formatDate = (time: number | string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(dateOf(time));

export const formatNumber = (n: number): string => new Intl.NumberFormat(locale()).format(n);

export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** A price with all its digits. */
export const formatPrice = (dollars: number): string =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD', maximumFractionDigits: 9 }).format(dollars);

/** Dollars. Small amounts keep two significant digits, so that they do not look like zero. */
export function formatMoney(dollars: number): string {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.01 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD', ...digits }).format(dollars);
}

/** Items as a list, in the punctuation of the language. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction', style: 'narrow' }).format(items);

const UNITS = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

export function formatBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes >= each) ?? (['byte', 1] as const);
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(bytes / size);
}

const AGES = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, such as "3 hours ago". */
export function formatAge(time: number | string, now = Date.now()): string {
  const seconds = (dateOf(time).getTime() - now) / 1_000;
  const [unit, size] = AGES.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

/** A duration, such as "1.2 seconds". */
export const formatSeconds = (seconds: number): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'long', maximumFractionDigits: 1 }).format(seconds);

/** A month given as YYYY-MM. */
export const formatMonth = (period: string): string =>
  new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${period}-01T00:00:00Z`));
