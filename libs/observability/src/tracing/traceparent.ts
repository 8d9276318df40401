import { randomFillSync } from 'node:crypto';

/** The part of version 00's format that later versions promise to keep. Neither ID may be zero. */
const wellFormed = /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const TRACEPARENT_LENGTH = 55;

// Random bytes for many IDs, from one system call.
const pool = Buffer.alloc(24 * 128);
let digits = '';
let used = 0;

/** A new W3C traceparent, which begins a trace. */
export function newTraceparent(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    used = 0;
  }
  const at = used;
  used += 48;
  return `00-${digits.slice(at, at + 32)}-${digits.slice(at + 32, used)}-01`;
}

/** The value of a header or of a CloudEvent's attribute, if it is a valid traceparent. */
export function readTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const version = wellFormed.exec(value)?.[1];
  if (version === undefined || (version === '00' && value.length !== TRACEPARENT_LENGTH)) return undefined;
  return version === '00' ? value : `00${value.slice(2, TRACEPARENT_LENGTH)}`;
}

/** The trace's ID, as logged. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
