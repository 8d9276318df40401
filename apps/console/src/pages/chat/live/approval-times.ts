import { LONGEST_TIMER } from '../longest-timer.ts';
import type { LiveReply } from './live-reply.ts';

/** The server ends an approval some seconds after its time, and its clock may be another one. */
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 60_000;

/** When the first approval of a reply ends, in epoch milliseconds. Null if it awaits none. */
function endsAt({ parts }: LiveReply): number | null {
  const times = parts.flatMap((part) => (part.kind === 'tool' && part.status === 'awaiting' ? [part.expiresAt] : []));
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known) * 1_000;
}

/** In how many milliseconds a waiting reply should be asked for again. The pauses grow while the server does not go on. */
export function nextLook(reply: LiveReply, now: number): number {
  const left = (endsAt(reply) ?? now) - now;
  if (left > 0) return Math.min(left + SHORTEST_PAUSE, LONGEST_TIMER);
  return Math.min(Math.max(-left, SHORTEST_PAUSE), LONGEST_PAUSE);
}
