import { expect, it } from '@jest/globals';
import type { Budget } from '@parlance/client/types';
import { freePeriods, takenPeriods } from './free-periods.ts';

const budget = (scope: Budget['scope'], scope_id: string | null, period: Budget['period']) => ({ scope, scope_id, period }) as Budget;
const BUDGETS = [budget('all', null, 'DAY'), budget('bot', 'b1', 'MONTH'), budget('bot', 'b1', 'WEEK'), budget('group', 'b1', 'DAY')];

it.each([
  ['all', null, ['WEEK', 'MONTH']],
  ['bot', 'b1', ['DAY']],
  ['bot', 'b2', ['DAY', 'WEEK', 'MONTH']],
  ['group', 'b1', ['WEEK', 'MONTH']],
] as const)('a new budget for %s %s can have only the periods without a budget: %j', (scope, id, free) =>
  expect(freePeriods(BUDGETS, scope, id)).toEqual(free),
);

it('lists the periods that already have a budget, so that the form can say why they cannot be chosen', () =>
  expect(takenPeriods(freePeriods(BUDGETS, 'bot', 'b1'))).toEqual(['WEEK', 'MONTH']));
