import { fileURLToPath } from 'node:url';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const FULL = { conversations: 1_000_000, expired: 10_000, quietSeconds: 20 };
const SHORT = { conversations: 20_000, expired: 1_000, quietSeconds: 3 };

export async function run({ short }) {
  pin(LOAD);
  const { conversations, expired, quietSeconds } = short ? SHORT : FULL;
  const subject = fileURLToPath(new URL('../subjects/retention.mjs', import.meta.url));
  const { found, seconds, quiet, during, commands } = await resultOf(subject, [conversations, expired, quietSeconds]);
  const shown = (number) => number.toLocaleString('en-US');
  return {
    rows: [
      figure(`a round that finds ${shown(expired)} of ${shown(conversations)} conversations`, seconds, 's', { bar: { atMost: 60 } }),
      figure('a command each 10 ms without a round, p50', quiet.p50, 'ms'),
      figure('  p99', quiet.p99, 'ms'),
      figure(`during the round (${shown(commands)} commands), p50`, during.p50, 'ms'),
      figure('  p99', during.p99, 'ms'),
      figure('  p99 ÷ p99 without', during.p99 / quiet.p99, '', { bar: { atMost: 1.2 } }),
    ],
    invariants: [invariant('the round finds each expired conversation once', found === expired, `${found} of ${expired}`)],
    notes: ['The rows have no streams: the bench measures finding and asking, not the removal of content.'],
  };
}
