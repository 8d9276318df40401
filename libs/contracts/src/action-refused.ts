import { z } from 'zod';
import { type DataOf, id, publicEvent } from './public-event.ts';

/** What a service says when it refused (403, 409) something that the audit log has to know of. The event's actor is who tried. */
const refusal = z.strictObject({
  action: z.string().describe('What was tried, in the words of the audit log'),
  resource_type: z.string(),
  resource_id: id.nullable(),
  code: z.string().describe('The code that was answered'),
  message: z.string(),
});

export const actionRefused = <Service extends string>(service: Service) =>
  publicEvent(
    `parlance.${service}.action-refused.v1`,
    'A caller tried an action that they may not do, or that the state forbids.',
    refusal,
  );

export type ActionRefused = DataOf<ReturnType<typeof actionRefused>>;
