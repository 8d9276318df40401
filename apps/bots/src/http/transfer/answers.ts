import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { BotConfiguration, PrivateBot } from '../answers.ts';

export const LEFT_OUT_REASONS = [
  'unknown_model',
  'tool_not_available',
  'knowledge_base_not_found',
  'parsing_model_not_available',
  's3_url_not_allowed',
  'object_store_not_configured',
  'file_missing',
  'checksum_mismatch',
  'file_too_large',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

const LeftOutField = z.object({
  field: z.string().describe('Field of the imported file.'),
  value: z.string(),
  reason: z.enum(LEFT_OUT_REASONS),
  detail: z.string(),
});
export type LeftOut = z.infer<typeof LeftOutField>;

const ImportedConfiguration = BotConfiguration.omit({ version: true });

/** The bot that an import created, or would create. */
export const BotImport = z.object({
  dry_run: z.boolean(),
  bot: PrivateBot.nullable().describe('The new bot; null for a dry run.'),
  configuration: ImportedConfiguration.describe('The configuration that the bot gets.'),
  left_out: z.array(LeftOutField).readonly().describe('What the imported file contains but the bot does not get, with the reasons.'),
  unchecked_files: z
    .array(z.string())
    .readonly()
    .describe(
      'Names of files that the bot gets, but whose SHA-256 was not compared with the one in the imported file, because the files are too large in total.',
    ),
});
export type BotImport = z.infer<typeof BotImport>;

nameSchemas({ BotImport, ImportedConfiguration, LeftOut: LeftOutField });
