import { expect, it } from '@jest/globals';
import { MOST_UNITS, unitsOf } from './guardrail-units.ts';

const NONE = { content: 0, topic: 0, sensitive_information: 0, contextual_grounding: 0, automated_reasoning: 0 };

it.each<[unknown, number]>([
  [3, 3],
  [MOST_UNITS, MOST_UNITS],
  [MOST_UNITS + 1, MOST_UNITS],
  [Number.MAX_SAFE_INTEGER, MOST_UNITS],
  [1e300, 0],
  [-1, 0],
  [1.5, 0],
  ['3', 0],
])('a report of %p text units counts as %d', (reported, content) =>
  expect(unitsOf({ contentPolicyUnits: reported })).toEqual({ ...NONE, content }),
);

it.each([undefined, null, 'usage', {}])('no report counts as no units: %p', (usage) => expect(unitsOf(usage)).toEqual(NONE));
