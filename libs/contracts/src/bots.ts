import { z } from 'zod';
import { actionOn } from './audit-action.ts';
import { type DataOf, id, publicEvent, tokens, userId } from './public-event.ts';

const onBot = actionOn('bot');

const botId = id.describe('ID of the bot.');
const ownerUserId = userId.describe("ID of the bot's owner.");
const scope = z.enum(['private', 'partial', 'all']);
const pinOrder = z.int().min(1).max(999).describe('Place among the pinned bots. Lower numbers come first.');
const bot = { bot_id: botId };

const lists = {
  allowed_user_ids: z.array(id).describe('Listed users after the change.'),
  allowed_group_ids: z.array(id).describe('Listed groups after the change.'),
  editor_user_ids: z.array(id).describe('Listed users who may change the configuration.'),
  editor_group_ids: z.array(id).describe('Listed groups that may change the configuration.'),
};

const sharing = {
  ...bot,
  shared_scope: scope.describe('Scope of sharing after the change.'),
  previous_scope: scope.describe('Scope of sharing before the change.'),
  ...lists,
};

export const BotCreated = publicEvent(
  'parlance.bots.bot-created.v1',
  'Published when a bot is created. A new bot is private to its owner.',
  z.strictObject({ ...bot, owner_user_id: ownerUserId }),
  ({ bot_id }) => onBot('create_bot', bot_id),
);
export type BotCreated = DataOf<typeof BotCreated>;

export const BotConfigured = publicEvent(
  'parlance.bots.bot-configured.v1',
  'Published when the configuration of a bot changes.',
  z.strictObject({ ...bot, changed: z.array(z.string()).describe('Names of the changed fields.') }),
  ({ bot_id, changed }) => onBot('configure_bot', bot_id, { changed }),
);
export type BotConfigured = DataOf<typeof BotConfigured>;

export const BotRestored = publicEvent(
  'parlance.bots.bot-restored.v1',
  'Published when a bot gets the configuration of an earlier version again.',
  z.strictObject({ ...bot, version: z.int().min(1).describe('The version that was restored.') }),
  ({ bot_id, version }) => onBot('restore_bot', bot_id, { version }),
);
export type BotRestored = DataOf<typeof BotRestored>;

export const BotWidened = publicEvent(
  'parlance.bots.bot-widened.v1',
  'Published when more users may see a bot, and all others may still see it.',
  z.strictObject(sharing),
  ({ bot_id, ...details }) => onBot('change_visibility', bot_id, details),
);
export type BotWidened = DataOf<typeof BotWidened>;

export const BotNarrowed = publicEvent(
  'parlance.bots.bot-narrowed.v1',
  'Published when a user or a group may no longer see a bot.',
  z.strictObject({
    ...sharing,
    because: z
      .enum(['requested', 'user_erased', 'group_deleted'])
      .describe('Whether the owner or an administrator requested it, a listed user was erased, or a listed group was deleted.'),
  }),
  ({ bot_id, ...details }) => onBot('change_visibility', bot_id, details),
);
export type BotNarrowed = DataOf<typeof BotNarrowed>;

export const BotEditorsChanged = publicEvent(
  'parlance.bots.bot-editors-changed.v1',
  'Published when other users or groups may change the configuration of a bot, or the lists of a bot change that all users see.',
  z.strictObject({ ...bot, ...lists }),
  ({ bot_id, ...details }) => onBot('change_editors', bot_id, details),
);
export type BotEditorsChanged = DataOf<typeof BotEditorsChanged>;

export const BotPinned = publicEvent(
  'parlance.bots.bot-pinned.v1',
  'Published when an administrator pins a bot, or changes the order of a pinned bot.',
  z.strictObject({ ...bot, order: pinOrder, status: z.string().describe('Sharing status: pinned@NNN.') }),
  ({ bot_id, status, order }) => onBot('pin', bot_id, { shared_status: status, order }),
);
export type BotPinned = DataOf<typeof BotPinned>;

export const BotUnpinned = publicEvent(
  'parlance.bots.bot-unpinned.v1',
  'Published when an administrator unpins a bot.',
  z.strictObject({
    ...bot,
    order: pinOrder.describe('The order that the bot had.'),
    status: z.string().describe('Sharing status: shared.'),
  }),
  ({ bot_id, status, order }) => onBot('unpin', bot_id, { shared_status: status, order }),
);
export type BotUnpinned = DataOf<typeof BotUnpinned>;

export const BotDeleted = publicEvent(
  'parlance.bots.bot-deleted.v1',
  'Published when a bot is deleted by its owner or an administrator, or because its owner is erased.',
  z.strictObject({ ...bot, owner_user_id: ownerUserId }),
  ({ bot_id }) => onBot('delete_bot', bot_id),
);
export type BotDeleted = DataOf<typeof BotDeleted>;

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
    suspicious: z.literal(true).optional().describe('Present if the provider has reported more tokens than the texts seem able to have.'),
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
      .describe('Present if the provider has reported more tokens or searches than the texts seem able to need.'),
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
