import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';

const onUser = actionOn('user');

const ownExport = {
  export_id: id.describe('ID of the export.'),
  user_id: userId.describe('ID of the user whose data it has.'),
  requested_by: z.enum(['user', 'admin']).describe('`admin`: an administrator requested it. The user has to be notified.'),
};

export const OwnExportRequested = publicEvent(
  'parlance.inference.own-export-requested.v1',
  "Published when an export of a user's own data is requested.",
  z.strictObject(ownExport),
  ({ user_id, ...terms }) => onUser('request_own_export', user_id, terms),
);
export type OwnExportRequested = DataOf<typeof OwnExportRequested>;

export const OwnExportReady = publicEvent(
  'parlance.inference.own-export-ready.v1',
  "Published when an export of the user's own data can be downloaded. The event does not contain its address.",
  z.strictObject({
    ...ownExport,
    conversations: z.int().min(0).describe('Number of conversations in it.'),
    bytes: z.int().positive().describe('Size of the file.'),
    expires_at: z.iso.datetime().describe('When the file is removed.'),
  }),
  ({ user_id, ...facts }) => onUser('complete_own_export', user_id, facts),
);
export type OwnExportReady = DataOf<typeof OwnExportReady>;
