import { z } from 'zod';

export const money = z.number().describe('Cost in US dollars, with at most 9 decimals.');
/** Costs as billed, and as corrected by restatements. */
export const bothCosts = {
  as_billed: money.describe('Cost as it was charged, in US dollars.'),
  as_corrected: money.describe('Cost with the corrections of restatements, in US dollars.'),
};
export const costByModel = z.record(z.string(), money).describe('Cost by model, as billed.');
export const correctedByModel = z.record(z.string(), money).describe('Cost by model, as corrected.');
export const total_cost = money.describe('The same as `as_billed`.');
export const figures = {
  total_cost,
  ...bothCosts,
  input_tokens: z.int(),
  output_tokens: z.int(),
  by_model: costByModel,
  by_model_as_corrected: correctedByModel,
};
