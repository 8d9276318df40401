import { shownNumber } from './shown-number.ts';

it.each([
  [1.8106750000000003, '1.810675'],
  [0.1 + 0.2, '0.3'],
  [1.25, '1.25'],
  [9_007_199_254_740_991, '9007199254740991'],
])('shows %d without the rest of its binary form', (value, shown) => expect(shownNumber(value)).toBe(shown));
