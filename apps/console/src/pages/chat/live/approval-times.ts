import { LONGEST_TIMER } from '../longest-timer.ts';
import type { LiveReply } from './live-reply.ts';

/** The server ends an approval a few seconds after its deadline, and its clock may differ. */
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 60_000;

/** The earliest approval deadline of a reply, in epoch milliseconds. Null if it is not waiting for one. */
function endsAt({ parts }: LiveReply): number | null {
  const times = parts.flatMap((part) => (part.kind === 'tool' && part.status === 'awaiting' ? [part.expiresAt] : []));
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known) * 1_000;
}

/** Milliseconds until a waiting reply should be polled again. The pauses grow while nothing changes on the server. */
export function nextLook(reply: LiveReply, now: number): number {
  const remaining = (endsAt(reply) ?? now) - now;
  if (remaining > 0) return Math.min(remaining + SHORTEST_PAUSE, LONGEST_TIMER);
  return Math.min(Math.max(-remaining, SHORTEST_PAUSE), LONGEST_PAUSE);
}
