/**
 * The part of a limit that one process has, as the owner of the limit knows it. The numbers only grow. So a report that is late or repeated
 * changes nothing, and an answer that was lost is made good by the next one.
 */
export interface Share {
  /** All that was ever lent to the process. */
  readonly granted: number;
  readonly used: number;
  readonly returned: number;
}

/** What a process reports of its share. */
export type Report = Omit<Share, 'granted'>;

export const NO_SHARE: Share = { granted: 0, used: 0, returned: 0 };

/** What the process may still use. */
export const unusedOf = ({ granted, used, returned }: Share): number => granted - used - returned;

/** What the process has taken from the limit for good, or may take. */
export const takenOf = ({ granted, returned }: Share): number => granted - returned;

/** The share after a report. A report can't return more than was lent. */
export function afterReport({ granted, ...before }: Share, report: Report): Share {
  const used = Math.min(granted, Math.max(before.used, report.used));
  return { granted, used, returned: Math.min(granted - used, Math.max(before.returned, report.returned)) };
}

export interface Wanted {
  /** The least that is of use. */
  readonly needed: number;
  /** What the process could use soon. */
  readonly wanted: number;
}

/** A process that wants more than it needs gets at most this part of what is left, so that others find something too. */
const PART = 4;

/** How much to lend: at least what is needed, if there is so much; otherwise all. */
export function grantOf(left: number, { needed, wanted }: Wanted): number {
  const whole = Math.max(0, Math.floor(left));
  return Math.min(whole, Math.max(needed, Math.min(wanted, Math.ceil(whole / PART))));
}
