import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, nanoDollars, publicEvent, userId } from '../public-event.ts';
import { api, place, usage, modelId } from './parts.ts';

const onCosts = actionOn('costs');
const onModel = actionOn('model');

const perMillion = (what: string) => nanoDollars(`Price of a million ${what}.`);

export const ModelPriceSet = publicEvent(
  'parlance.inference.model-price-set.v1',
  'Published when an administrator sets a price of a model. It replaces an earlier price with the same start.',
  z.strictObject({
    model: modelId,
    from: z.iso.datetime().describe('Time from which the price applies.'),
    input_nano_dollars: perMillion('input tokens'),
    output_nano_dollars: perMillion('output tokens'),
    cache_read_nano_dollars: perMillion('input tokens that are read from the cache of the provider'),
    cache_write_nano_dollars: perMillion('input tokens that are written to the cache of the provider'),
    cache_write_1h_nano_dollars: perMillion(
      'input tokens that the cache of the provider keeps for an hour, where it differs from the price of other writes',
    ).optional(),
    web_search_nano_dollars: nanoDollars('Price of 1,000 searches of the web by the provider, where it is known.').optional(),
  }),
  ({ model, ...price }) => onModel('set_model_price', model, price),
);
export type ModelPriceSet = DataOf<typeof ModelPriceSet>;

export const ModelChecked = publicEvent(
  'parlance.inference.model-checked.v1',
  'Published when an administrator has checked whether a model works. The call is charged like any other.',
  z.strictObject({
    check_id: id.describe('ID of the check.'),
    model: modelId,
    user_id: id.describe('ID of the administrator, who pays.'),
    bot_id: z.null().describe('A check belongs to no bot.'),
    failure: z.string().nullable().describe('Code of the reason why the model does not work; null if it has answered.'),
    usage,
    cost_nano_dollars: nanoDollars('Cost of the call; 0 if the provider was not called or has refused the call.'),
  }),
  ({ model, failure }) => onModel('check_model', model, { failure }),
);
export type ModelChecked = DataOf<typeof ModelChecked>;

const restatementId = id.describe('ID of the restatement.');

export const RestatementRequested = publicEvent(
  'parlance.inference.restatement-requested.v1',
  "Published when an administrator has the cost of past usage recalculated at today's prices.",
  z.strictObject({
    restatement_id: restatementId,
    from: z.iso.datetime().describe('Usage since this moment is recalculated.'),
    model: modelId.nullable().describe('ID of the model; null for all models.'),
    dry_run: z.boolean().describe('Whether the result is only shown. Then no corrections follow.'),
  }),
  ({ restatement_id, ...terms }) => onCosts('restate_costs', restatement_id, terms),
);
export type RestatementRequested = DataOf<typeof RestatementRequested>;

const correction = {
  hour: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d$/)
    .describe('Hour (UTC) in which the tokens were used, as 2026-11-21T09.'),
  user_id: userId,
  bot_id: place.bot_id,
  ...api,
  token_id: id.optional().describe('ID of the personal access token, for a call of a model without a bot.'),
  cost_centre: z.string().optional().describe('Cost centre of that call. Absent without one.'),
  tags: z.record(z.string(), z.string()).optional().describe('Tags of that call. Absent without any.'),
  model: modelId,
  difference_nano_dollars: z.int().describe('Amount to be added to the cost as corrected, in US dollars × 10⁻⁹. It may be negative.'),
};

/** The maximum number of corrections in one event. A consumer makes about ten changes for each correction, and handles events in batches. */
const MOST_CORRECTIONS = 25;

export const CostsRestated = publicEvent(
  'parlance.inference.costs-restated.v1',
  'Published when a restatement finds that past usage costs more or less at corrected prices. Costs as billed do not change. Costs as corrected are the costs as billed with all corrections added.',
  z.strictObject({
    restatement_id: restatementId,
    corrections: z
      .array(z.strictObject(correction))
      .min(1)
      .max(MOST_CORRECTIONS)
      .describe(
        'Each has `hour` (UTC, as 2026-11-21T09), `user_id`, `bot_id`, `model`, `api_id` and `api_key_id` where a published API was called, and `difference_nano_dollars`: the amount to add to the cost as corrected.',
      ),
  }),
  // The audit entry of the request covers this.
  null,
);
export type CostsRestated = DataOf<typeof CostsRestated>;

export const ChargeCorrected = publicEvent(
  'parlance.inference.charge-corrected.v1',
  'Published when an administrator corrects the cost of one charge whose report of tokens is suspicious. The cost as billed does not change. What budgets have spent changes.',
  z.strictObject({
    charge_id: id.describe('ID of the event that was published for the charge.'),
    cost_nano_dollars: nanoDollars('Cost as corrected. Later restatements do not change it.'),
    ...correction,
    spent_difference_nano_dollars: z
      .int()
      .describe(
        'Amount to be added to what budgets have spent on the day of the charge, in US dollars × 10⁻⁹: the difference from the cost as billed, or from the previous corrected cost. It may be negative.',
      ),
    budgets: place.budgets,
  }),
  ({ charge_id, ...corrected }) => onCosts('correct_charge', charge_id, corrected),
);
export type ChargeCorrected = DataOf<typeof ChargeCorrected>;
