import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { SCOPES } from '../../domain/sharing.ts';
import { VERSION_CHANGES } from '../../projections/prompts/prompts.ts';

const seconds = z.int().describe('Time in epoch seconds.');
const ids = z.array(z.string()).readonly();

/** A prompt in lists. */
export const PromptSummary = z.object({
  id: z.string(),
  owner_user_id: z.string(),
  title: z.string(),
  command: z.string().describe('The name under which users insert the prompt. No two prompts of one owner have the same command.'),
  description: z.string(),
  shared_scope: z.enum(SCOPES),
  owned: z.boolean().describe('Whether the caller is the owner.'),
  editable: z.boolean().describe('Whether the caller may change the prompt.'),
  create_time: seconds,
  change_time: z.int().describe('When the content was last changed, in epoch seconds.'),
  version: z.int().describe('Version number, starting at 1. In quotes it is the ETag.'),
});
export type PromptSummary = z.infer<typeof PromptSummary>;

const PromptVariable = z.object({
  name: z.string(),
  default: z.string().nullable().describe('Null: the user has to enter a value.'),
  options: ids.describe('The values to choose from. Empty: any text.'),
});

const content = {
  text: z.string().describe('With placeholders, which clients replace. `\\{{` stands for two braces.'),
  variables: z.array(PromptVariable).readonly().describe('The variables of the placeholders, in the order of their first use.'),
};

/** A prompt with its text. Users who may change it also see whom it is shared with. */
export const Prompt = PromptSummary.extend({
  ...content,
  allowed_user_ids: ids.optional(),
  allowed_group_ids: ids.optional(),
  editor_user_ids: ids.optional(),
  editor_group_ids: ids.optional(),
});
export type Prompt = z.infer<typeof Prompt>;

export const PromptLibraryPage = z.object({ prompts: z.array(PromptSummary).readonly(), next_token: z.string().nullable() });
export type PromptLibraryPage = z.infer<typeof PromptLibraryPage>;

const PromptVersion = z.object({
  version: z.int(),
  change: z.enum(VERSION_CHANGES),
  user_id: z.string().nullable().describe('Who made the change. Null if a listed user was erased, or a listed group was deleted.'),
  create_time: seconds,
  restored_version: z.int().nullable().describe('The version that was restored.'),
});

export const PromptVersionPage = z.object({ versions: z.array(PromptVersion).readonly(), next_token: z.string().nullable() });
export type PromptVersionPage = z.infer<typeof PromptVersionPage>;

/** The content that a prompt had in a version. */
export const PromptContent = z.object({
  version: z.int(),
  ...PromptSummary.pick({ title: true, command: true, description: true }).shape,
  ...content,
});
export type PromptContent = z.infer<typeof PromptContent>;

nameSchemas({ PromptSummary, PromptVariable, Prompt, PromptLibraryPage, PromptVersion, PromptVersionPage, PromptContent });
