import { scaleLinear } from 'd3-scale';
import { valueTicks } from './value-ticks.ts';

const ticks = (...values: (number | null)[]) =>
  valueTicks(scaleLinear([0, Math.max(...values.map(Number)) || 1], [100, 0]).nice(4), values);

describe('the labelled values of a chart', () => {
  it('are whole for counts', () => expect(ticks(0, 1, null)).toEqual([0, 1]));
  it('have fractions for amounts', () => expect(ticks(0.5, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]));
  it('are only zero without values', () => expect(ticks(0, null)).toEqual([0]));
});
