import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { figures } from '../figure-fields.ts';

export const TokenCost = z.object({
  token_id: z.string(),
  description: z.string().nullable().describe('Null for a revoked token, and while the descriptions cannot be read.'),
  user_id: z.string().describe('The user or service account of the token.'),
  email: z.string().nullable().describe('Null for an erased user.'),
  ...figures,
});
export type TokenCost = z.infer<typeof TokenCost>;

export const CostCentreCost = z.object({ cost_centre: z.string(), ...figures });
export type CostCentreCost = z.infer<typeof CostCentreCost>;

export const TagCost = z.object({ name: z.string(), value: z.string(), ...figures });
export type TagCost = z.infer<typeof TagCost>;

nameSchemas({ TokenCost, CostCentreCost, TagCost });

/** In the summary: the splits of the cost of calls of models by programs. */
export const splits = {
  by_token: z.array(TokenCost).describe('The personal access tokens whose calls of models without a bot cost the most.'),
  by_cost_centre: z.array(CostCentreCost).describe('The cost centres whose calls cost the most. A call has the cost centre of its token.'),
  by_tag: z.array(TagCost).describe('The tags whose calls cost the most. A call with several tags is in the cost of each.'),
};
