import { randomFillSync } from 'node:crypto';

/** The format of version 00, as far as later versions promise to keep it. Neither id may be zero. */
const wellFormed = /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const TRACEPARENT_LENGTH = 55;

// One system call and one conversion for many IDs.
const pool = Buffer.alloc(24 * 128);
let digits = '';
let used = 0;

/** A W3C traceparent that begins a trace. */
export function newTraceparent(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    used = 0;
  }
  const at = used;
  used += 48;
  return `00-${digits.slice(at, at + 32)}-${digits.slice(at + 32, used)}-01`;
}

/** What a header or a CloudEvent's attribute says, when it is a traceparent. */
export function readTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const version = wellFormed.exec(value)?.[1];
  if (version === undefined || (version === '00' && value.length !== TRACEPARENT_LENGTH)) return undefined;
  return version === '00' ? value : `00${value.slice(2, TRACEPARENT_LENGTH)}`;
}

/** The trace's id, as logs carry it. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
