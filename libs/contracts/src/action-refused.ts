import { z } from 'zod';
import { actionOn } from './audit-action.ts';
import { type DataOf, id, publicEvent } from './public-event.ts';

/** Data of `action-refused.v1`, which each service has under its own type name. */
const refusal = z.strictObject({
  action: z.string().describe('Action as in the audit log.'),
  resource_type: z.string().describe('Type of the resource.'),
  resource_id: id.nullable().describe('ID of the resource; null if the request named none.'),
  code: z.string().describe('Error code of the answer.'),
  message: z.string().describe('Error message of the answer.'),
});

export const actionRefused = <Service extends string>(service: Service) =>
  publicEvent(
    `parlance.${service}.action-refused.v1`,
    'Published when a service refuses an audited action with status 401, 403, 409 or 412, or 429 for too many guesses. The actor is the caller.',
    refusal,
    ({ action, resource_type, resource_id, code, message }) =>
      actionOn(resource_type)(action, resource_id ?? '', { code }, { error: message }),
  );

export type ActionRefused = DataOf<ReturnType<typeof actionRefused>>;
