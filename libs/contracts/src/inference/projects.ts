import { z } from 'zod';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';

export const ProjectShared = publicEvent(
  'parlance.inference.project-shared.v1',
  'Published when the owner of a project adds a member. A changed role is not published.',
  z.strictObject({
    project_id: id.describe('ID of the project.'),
    owner_user_id: userId.describe('ID of its owner.'),
    user_id: userId.describe('ID of the new member.'),
    role: z.enum(['viewer', 'editor']).describe('`viewer`: uses the project. `editor`: also changes it.'),
  }),
  null,
);
export type ProjectShared = DataOf<typeof ProjectShared>;
