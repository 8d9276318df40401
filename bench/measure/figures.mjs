/** The value below which a share of all lies, of sorted or unsorted numbers; NaN of none. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

export const median = (values) => percentile(values, 0.5);

/**
 * One line of a table. `bar` is what a full run has to reach, `gate` what the short form has to: only ratios taken in one run
 * have a gate, and a wide one, for the machines of CI have neighbours. Both are `{ atLeast }` or `{ atMost }`.
 */
export function figure(what, measured, unit, { bar = null, gate = null, against = null } = {}) {
  return { what, measured, unit, bar, gate, against };
}

/** Whether a number is where it should be; null where nothing is asked of it. */
export function reaches(measured, limit) {
  if (limit === null) return null;
  return 'atLeast' in limit ? measured >= limit.atLeast : measured <= limit.atMost;
}

/** What has to be so, however fast the machine is. */
export function invariant(what, holds, detail = '') {
  return { what, holds, detail };
}
