import { aggregate } from '@parlance/foundation';
import { budget, budgetStream } from '../domain/budget.ts';

export const ExecuteBudget = aggregate('ExecuteBudget', budget, budgetStream);
