import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Compared } from './compare.ts';
import { type Counts, type Ledger, REPORT } from './ledger.ts';
import type { Options } from './options.ts';

const LABELS: Readonly<Record<keyof Counts, string>> = {
  users: 'Users',
  bots: 'Bots',
  stars: 'Stars',
  conversations: 'Conversations',
  messages: 'Messages',
  nano_dollars: 'Cost in dollars',
};
const NANO_DIGITS = 9;

/** The lines for the terminal. Also writes the figures to `summary.json` beside the report. */
export function summaryOf(
  { directory, isDryRun }: Options,
  { read, taken, reasons }: Ledger,
  compared: Compared | null,
): readonly string[] {
  const folder = isDryRun ? `${directory}-dry-run` : directory;
  writeFileSync(join(folder, 'summary.json'), `${JSON.stringify({ read, taken, left_out: reasons, product: compared }, null, 2)}\n`);
  const line = (name: keyof Counts) => {
    const shown = name === 'nano_dollars' ? dollarsOf : String;
    return `  ${LABELS[name].padEnd(18)}${shown(read[name]).padStart(20)}${shown(taken[name]).padStart(20)}`;
  };
  const sortedReasons = Object.entries(reasons).toSorted(([, one], [, other]) => other - one);
  const width = Math.max(34, ...sortedReasons.map(([reason]) => reason.length + 2));
  return [
    `${' '.repeat(20)}${'read'.padStart(20)}${(isDryRun ? 'can be taken' : 'taken').padStart(20)}`,
    ...(Object.keys(LABELS) as (keyof Counts)[]).map(line),
    ...(sortedReasons.length === 0
      ? []
      : ['Left out, or taken in part:', ...sortedReasons.map(([reason, count]) => `  ${reason.padEnd(width)}${count}`)]),
    ...(compared && compared.differences.length === 0
      ? [
          `Parlance reports the same: ${compared.analytics.conversations} conversations, ${dollarsOf(compared.analytics.nano_dollars)} dollars`,
        ]
      : []),
    `Each of them is in ${join(folder, REPORT)}`,
  ];
}

/** The amount with all digits. */
function dollarsOf(nano: number): string {
  const digits = String(nano).padStart(NANO_DIGITS + 1, '0');
  return `${digits.slice(0, -NANO_DIGITS)}.${digits.slice(-NANO_DIGITS)}`;
}
