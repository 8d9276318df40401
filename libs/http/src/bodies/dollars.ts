import { nanoDollars } from '@parlance/money';
import { ValidateBy } from 'class-validator';

/** The smallest amount, a nano-dollar. */
const STEP = 1e-9;

/** An amount of US dollars, with at most 9 decimals, for `nanoDollars` and prices. */
export const IsDollars = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isDollars', validator: { validate: isAmount } },
    { message: 'must be US dollars with at most 9 decimals', context: { schema: { type: 'number', multipleOf: STEP } } },
  );

function isAmount(value: unknown): boolean {
  if (typeof value !== 'number') return false;
  try {
    nanoDollars(value);
    return true;
  } catch {
    return false;
  }
}
