import type { ApiKey, CreateApiKeyBody } from '@parlance/client/types';
import { linesOf } from '../../editor/lines.ts';

/** The fields of a key. `expiry` is the value of a date field, or empty. */
export interface KeyFields {
  readonly description: string;
  readonly expiry: string;
  readonly ranges: string;
}

export const NEW_KEY: KeyFields = { description: '', expiry: '', ranges: '' };

/** A key works until the end of the day, in the user's time zone. */
export function expiryOf(date: string): number | null {
  const [year, month, day] = date.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  return Math.floor(new Date(year, month - 1, day, 23, 59, 59).getTime() / 1_000);
}

export function dateOf(seconds: number | null): string {
  if (seconds === null) return '';
  const date = new Date(seconds * 1_000);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function bodyOf({ description, expiry, ranges }: KeyFields): CreateApiKeyBody {
  const expires_at = expiryOf(expiry);
  const allowed_ip_ranges = linesOf(ranges);
  return {
    description: description.trim(),
    ...(expires_at !== null && { expires_at }),
    ...(allowed_ip_ranges.length > 0 && { allowed_ip_ranges }),
  };
}

export const isExpired = ({ expires_at: at }: Pick<ApiKey, 'expires_at'>, now = Date.now()): boolean => at !== null && at * 1_000 <= now;
