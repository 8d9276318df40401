import { z } from 'zod';
import { actionOn } from './audit-action.ts';
import { type DataOf, id, publicEvent } from './public-event.ts';

/** Data of `data-viewed.v1`, which each service has under its own type name. */
const view = z.strictObject({
  action: z.string().describe('Action as in the audit log.'),
  resource_type: z.string().describe('Type of the resource that was read.'),
  resource_id: id.nullable().describe('ID of the resource; null for a list or a summary.'),
});

export const dataViewed = <Service extends string>(service: Service) =>
  publicEvent(
    `parlance.${service}.data-viewed.v1`,
    "Published when an administrator reads other users' data. The actor is the administrator.",
    view,
    ({ action, resource_type, resource_id }) => actionOn(resource_type)(action, resource_id ?? ''),
  );

export type DataViewed = DataOf<ReturnType<typeof dataViewed>>;
