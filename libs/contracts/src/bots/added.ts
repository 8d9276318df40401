import { z } from 'zod';
import { id } from '../public-event.ts';

/** With whom a change shares a bot or a prompt. Not in audit entries, which have the whole lists. */
export const added = {
  added_user_ids: z
    .array(id)
    .optional()
    .describe('Users that this change lists, if the scope was not `all` before; absent if there are none.'),
  added_group_ids: z
    .array(id)
    .optional()
    .describe('Groups that this change lists, if the scope was not `all` before; absent if there are none.'),
};
