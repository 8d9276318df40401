import { afterAll } from '@jest/globals';
import { budgetTerms } from './budget-terms.ts';
import { budgetsUnderTest } from './budgets-under-test.ts';
import { lentBlocks } from './lent-blocks.ts';

// One service for all cases.
const budgets = await budgetsUnderTest();
afterAll(() => budgets.service.stop());

budgetTerms(budgets);
lentBlocks(budgets);
