import type { ScaleLinear } from 'd3-scale';

const ABOUT = 4;

/** The values that are labelled. Counts have no fractions between them. */
export function valueTicks(scale: ScaleLinear<number, number>, values: readonly (number | null)[]): readonly number[] {
  const areCounts = values.every((value) => value === null || Number.isInteger(value));
  const hasAmounts = values.some((value) => value !== null && value > 0);
  return scale.ticks(ABOUT).filter((tick) => (tick === 0 || hasAmounts) && (!areCounts || Number.isInteger(tick)));
}
