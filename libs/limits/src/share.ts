/**
 * The part of a limit that one process has, as recorded by the owner of the limit. The numbers only grow. So a late or repeated report changes
 * nothing, and the next answer makes up for a lost one.
 */
export interface Share {
  /** Everything that was ever lent to the process. */
  readonly granted: number;
  readonly used: number;
  readonly returned: number;
}

/** A process's report of its share. */
export type Report = Omit<Share, 'granted'>;

export const NO_SHARE: Share = { granted: 0, used: 0, returned: 0 };

/** The amount that the process may still use. */
export const unusedOf = ({ granted, used, returned }: Share): number => granted - used - returned;

/** The amount that the process has used or may still use. */
export const takenOf = ({ granted, returned }: Share): number => granted - returned;

/** The share after a report. A report can't return more than was lent. */
export function afterReport({ granted, ...before }: Share, report: Report): Share {
  const used = Math.min(granted, Math.max(before.used, report.used));
  return { granted, used, returned: Math.min(granted - used, Math.max(before.returned, report.returned)) };
}

export interface Wanted {
  /** The smallest useful amount. */
  readonly needed: number;
  /** The amount that the process could use soon. */
  readonly wanted: number;
}

/** A process that wants more than it needs gets at most 1/PART of the rest, so that other processes can borrow too. */
const PART = 4;

/** How much to lend: at least the needed amount, or the rest if less is left. */
export function grantOf(left: number, { needed, wanted }: Wanted): number {
  const available = Math.max(0, Math.floor(left));
  return Math.min(available, Math.max(needed, Math.min(wanted, Math.ceil(available / PART))));
}
