import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';
import { added } from './added.ts';

const onPrompt = actionOn('prompt');

const scope = z.enum(['private', 'partial', 'all']);
const prompt = { prompt_id: id.describe('ID of the prompt.'), owner_user_id: userId.describe("ID of the prompt's owner.") };

export const PromptCreated = publicEvent(
  'parlance.bots.prompt-created.v1',
  'Published when a user creates a prompt in the prompt library. A new prompt is private to its owner.',
  z.strictObject(prompt),
  ({ prompt_id }) => onPrompt('create_prompt', prompt_id),
);
export type PromptCreated = DataOf<typeof PromptCreated>;

export const PromptChanged = publicEvent(
  'parlance.bots.prompt-changed.v1',
  'Published when the title, the command, the description or the text of a prompt changes.',
  z.strictObject({ ...prompt, changed: z.array(z.string()).describe('Names of the changed fields.') }),
  ({ prompt_id, changed }) => onPrompt('change_prompt', prompt_id, { changed }),
);
export type PromptChanged = DataOf<typeof PromptChanged>;

export const PromptRestored = publicEvent(
  'parlance.bots.prompt-restored.v1',
  'Published when a prompt gets the content of an earlier version again.',
  z.strictObject({ ...prompt, version: z.int().min(1).describe('The version that was restored.') }),
  ({ prompt_id, version }) => onPrompt('restore_prompt', prompt_id, { version }),
);
export type PromptRestored = DataOf<typeof PromptRestored>;

export const PromptSharingChanged = publicEvent(
  'parlance.bots.prompt-sharing-changed.v1',
  'Published when other users or groups may see or change a prompt than before.',
  z.strictObject({
    ...prompt,
    shared_scope: scope.describe('Scope of sharing after the change.'),
    previous_scope: scope.describe('Scope of sharing before the change.'),
    because: z
      .enum(['requested', 'user_erased', 'group_deleted'])
      .describe('Whether the owner or an administrator requested it, a listed user was erased, or a listed group was deleted.'),
    allowed_user_ids: z.array(id).describe('Listed users after the change.'),
    allowed_group_ids: z.array(id).describe('Listed groups after the change.'),
    editor_user_ids: z.array(id).describe('Listed users who may change the prompt.'),
    editor_group_ids: z.array(id).describe('Listed groups that may change the prompt.'),
    ...added,
  }),
  ({ prompt_id, owner_user_id: _, added_user_ids: __, added_group_ids: ___, ...details }) => onPrompt('share_prompt', prompt_id, details),
);
export type PromptSharingChanged = DataOf<typeof PromptSharingChanged>;

export const PromptDeleted = publicEvent(
  'parlance.bots.prompt-deleted.v1',
  'Published when a prompt is deleted by its owner or an administrator, or because its owner is erased.',
  z.strictObject(prompt),
  ({ prompt_id }) => onPrompt('delete_prompt', prompt_id),
);
export type PromptDeleted = DataOf<typeof PromptDeleted>;
