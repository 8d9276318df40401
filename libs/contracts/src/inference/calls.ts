import { z } from 'zod';
import { type DataOf, id, nanoDollars, publicEvent, userId } from '../public-event.ts';
import { place, usage } from './parts.ts';

export const CallCompleted = publicEvent(
  'parlance.inference.call-completed.v1',
  'Published when a call of a model without a bot, by a program or for speech in the console, has ended in any way.',
  z.strictObject({
    call_id: id.describe('ID of the call: the x-parlance-call of its answer.'),
    token_id: id.describe('ID of the personal access token. For a call with a session: `session-` and the ID of the user.'),
    user_id: userId,
    bot_id: z.null().describe('Always null: such calls have no bot.'),
    endpoint: z.string().describe('Path of the endpoint below /v1/, such as chat/completions.'),
    model: place.model,
    route: z.string().optional().describe('The route that the caller named, if it was one. `model` is the model that is charged.'),
    tries: z
      .int()
      .optional()
      .describe('How many times models of the route were called so far. An attempt that may be billed has its own event.'),
    status: z
      .enum(['completed', 'refused', 'failed', 'broken', 'cancelled', 'unsettled', 'blocked'])
      .describe(
        'How it ended. unsettled: it is not known, so the most that it can have cost is charged. blocked: a policy refused the request or withheld the answer.',
      ),
    cost_centre: z.string().nullable().describe('Cost centre of the token when the call began.'),
    tags: z.record(z.string(), z.string()).describe('Tags of the token when the call began.'),
    budgets: place.budgets,
    usage,
    cost_nano_dollars: nanoDollars('Cost of the call.'),
    unpriced: z
      .array(z.string())
      .optional()
      .describe(
        'What the provider bills besides, for which no price is known: web_search, or a service tier such as service_tier_priority.',
      ),
  }),
  null,
);
export type CallCompleted = DataOf<typeof CallCompleted>;
