/** A percentile of sorted or unsorted numbers; `share` is 0.5 for the median. NaN if there are no numbers. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

export const median = (values) => percentile(values, 0.5);

/**
 * A row of a table. `bar` is the target in a full run, `gate` the limit in the short run for CI. Only ratios within one run have a gate,
 * and it is wide, because CI machines are shared. Both are `{ atLeast }` or `{ atMost }`. `against` names what the number is compared with.
 */
export function figure(what, measured, unit, { bar = null, gate = null, against = null } = {}) {
  return { what, measured, unit, bar, gate, against };
}

/** Whether a number meets its target; null without a target. */
export function reaches(measured, limit) {
  if (limit === null) return null;
  return 'atLeast' in limit ? measured >= limit.atLeast : measured <= limit.atMost;
}

/** A condition that must hold on any machine, independent of its speed. */
export function invariant(what, holds, detail = '') {
  return { what, holds, detail };
}
