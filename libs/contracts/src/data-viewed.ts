import { z } from 'zod';
import { type DataOf, id, publicEvent } from './public-event.ts';

/** Published by a service when an administrator was shown other people's data. The event's actor is the administrator. */
const view = z.strictObject({
  action: z.string().describe('What was looked at, in the words of the audit log'),
  resource_type: z.string(),
  resource_id: id.nullable(),
});

export const dataViewed = <Service extends string>(service: Service) =>
  publicEvent(`parlance.${service}.data-viewed.v1`, "An administrator was shown other people's data.", view);

export type DataViewed = DataOf<ReturnType<typeof dataViewed>>;
