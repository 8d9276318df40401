import { nanoDollars } from '@parlance/money';
import { ValidateBy } from 'class-validator';

/** Without `multipleOf`: validators divide in binary, and most of them would refuse 0.5. */
const SCHEMA = { type: 'number', description: 'US dollars, with at most 9 decimals.' } as const;

/** An amount of US dollars, with at most 9 decimals, for `nanoDollars` and prices. */
export const IsDollars = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isDollars', validator: { validate: isAmount } },
    { message: 'must be US dollars with at most 9 decimals', context: { schema: SCHEMA } },
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
