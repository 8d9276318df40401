import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, tokens } from '../public-event.ts';

const onBot = actionOn('bot');

const bot = { bot_id: id.describe('ID of the bot.') };
const runId = id.describe('ID of the run (execution ID).');
const run = { ...bot, run_id: runId };
const reason = z.enum(['saved', 'requested', 'scheduled']);

export const KnowledgeSyncRequested = publicEvent(
  'parlance.bots.knowledge-sync-requested.v1',
  'Published when the sources of a bot are to be read again without a change of the bot.',
  z.strictObject({
    ...bot,
    because: z.enum(['requested', 'scheduled']).describe('Whether a user or the schedule of the bot requested it.'),
  }),
  ({ bot_id, because }) => onBot('sync_knowledge', bot_id, { because }),
);
export type KnowledgeSyncRequested = DataOf<typeof KnowledgeSyncRequested>;

export const KnowledgeSyncStarted = publicEvent(
  'parlance.bots.knowledge-sync-started.v1',
  'Published when a worker begins to read the sources of a bot.',
  z.strictObject({
    ...run,
    version: z.int().min(0).describe('The version of the bot that is read.'),
    because: reason.describe('Why the run began.'),
  }),
  ({ bot_id, ...details }) => onBot('start_sync', bot_id, details),
);
export type KnowledgeSyncStarted = DataOf<typeof KnowledgeSyncStarted>;

export const KnowledgeSyncAbandoned = publicEvent(
  'parlance.bots.knowledge-sync-abandoned.v1',
  'Published when a run ends because a newer one begins.',
  z.strictObject(run),
  ({ bot_id, ...details }) => onBot('abandon_sync', bot_id, details),
);
export type KnowledgeSyncAbandoned = DataOf<typeof KnowledgeSyncAbandoned>;

export const KnowledgeSyncSucceeded = publicEvent(
  'parlance.bots.knowledge-sync-succeeded.v1',
  'Published when the new index of a bot is in service.',
  z.strictObject({
    ...run,
    sources: z.int().min(0).describe('Pages, files and objects in the index.'),
    chunks: z.int().min(0).describe('Chunks in the index.'),
  }),
  ({ bot_id, ...details }) => onBot('complete_sync', bot_id, details),
);
export type KnowledgeSyncSucceeded = DataOf<typeof KnowledgeSyncSucceeded>;

const WHY_FAILED = {
  sources: 'Sources could not be read.',
  deadline: 'The run did not end in time.',
  fault: 'A fault of the installation or of its embedding model ended the run.',
} as const;

export const KnowledgeSyncFailed = publicEvent(
  'parlance.bots.knowledge-sync-failed.v1',
  'Published when a run fails. The earlier index stays in service.',
  z.strictObject({
    ...run,
    because: z
      .enum(['sources', 'deadline', 'fault'])
      .describe(
        'Whether sources failed, the run did not end in time, or a fault of the installation or its embedding model ended each try.',
      ),
    failures: z.int().min(0).describe('Number of failed sources.'),
  }),
  ({ bot_id, ...details }) => onBot('complete_sync', bot_id, details, { error: WHY_FAILED[details.because] }),
);
export type KnowledgeSyncFailed = DataOf<typeof KnowledgeSyncFailed>;

export const KnowledgeRemoved = publicEvent(
  'parlance.bots.knowledge-removed.v1',
  'Published when the index of a deleted bot is removed.',
  z.strictObject({
    ...bot,
    chunks: z.int().min(0).describe('Number of removed chunks.'),
  }),
  ({ bot_id, ...removed }) => onBot('remove_knowledge', bot_id, removed),
);
export type KnowledgeRemoved = DataOf<typeof KnowledgeRemoved>;

export const EmbeddingUsed = publicEvent(
  'parlance.bots.embedding-used.v1',
  'Published when the embedding model of a provider has been called for the knowledge of a bot. The service of models charges it. Searches for replies are charged with their replies, without this event.',
  z.strictObject({
    use_id: id.describe('ID of the use.'),
    ...bot,
    user_id: id.describe("ID of the user who pays: the bot's owner, or the user who tries a search."),
    model: id.describe('ID of the embedding model.'),
    input_tokens: tokens('Tokens sent to the model.'),
    estimated: z.boolean().describe('Whether Parlance counted the tokens because the provider reported none.'),
    suspicious: z
      .literal(true)
      .optional()
      .describe('Present if the provider has reported more tokens than the texts could plausibly have.'),
  }),
  // Using a bot is not administration, and its cost is in the figures.
  null,
);
export type EmbeddingUsed = DataOf<typeof EmbeddingUsed>;

export const RerankingUsed = publicEvent(
  'parlance.bots.reranking-used.v1',
  'Published when the reranker has been called for a search that a user tries. The service of models charges it. Searches for replies are charged with their replies, without this event.',
  z.strictObject({
    use_id: id.describe('ID of the use.'),
    ...bot,
    user_id: id.describe('ID of the user who pays.'),
    model: id.describe('Name of the reranker.'),
    searches: z.int().min(1).describe('Searches, as the provider bills them.'),
    input_tokens: tokens('Tokens of the query and the documents.'),
    estimated: z.boolean().describe('Whether Parlance counted the tokens because the provider reported none.'),
    suspicious: z
      .literal(true)
      .optional()
      .describe('Present if the provider has reported more tokens or searches than the texts could plausibly need.'),
  }),
  null,
);
export type RerankingUsed = DataOf<typeof RerankingUsed>;

const file = { ...bot, file_id: id.describe('ID of the file. It is derived from the name and does not reveal it.') };

export const FileUploadGranted = publicEvent(
  'parlance.bots.file-upload-granted.v1',
  'Published when a user gets an address for the upload of a file for a bot. The bot may not be saved yet.',
  z.strictObject(file),
  ({ bot_id, file_id }) => onBot('upload_file', bot_id, { file_id }),
);
export type FileUploadGranted = DataOf<typeof FileUploadGranted>;

export const FileRemoved = publicEvent(
  'parlance.bots.file-removed.v1',
  'Published when a user removes an uploaded file.',
  z.strictObject(file),
  ({ bot_id, file_id }) => onBot('remove_file', bot_id, { file_id }),
);
export type FileRemoved = DataOf<typeof FileRemoved>;

export const FilesRemoved = publicEvent(
  'parlance.bots.files-removed.v1',
  'Published when all files that a user has uploaded for a bot are removed, because the bot is deleted or the user is erased.',
  z.strictObject({ ...bot, files: z.int().min(1).describe('Number of removed files.') }),
  ({ bot_id, files }) => onBot('remove_files', bot_id, { files }),
);
export type FilesRemoved = DataOf<typeof FilesRemoved>;
