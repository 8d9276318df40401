import {
  BotConfigured,
  BotCreated,
  BotDeleted,
  BotEditorsChanged,
  BotNarrowed,
  BotPinned,
  BotRestored,
  BotUnpinned,
  BotWidened,
  EmbeddingUsed,
  FileRemoved,
  FilesRemoved,
  FileUploadGranted,
  KnowledgeRemoved,
  KnowledgeSyncAbandoned,
  KnowledgeSyncFailed,
  KnowledgeSyncRequested,
  KnowledgeSyncStarted,
  KnowledgeSyncSucceeded,
  PromptChanged,
  PromptCreated,
  PromptDeleted,
  PromptRestored,
  PromptSharingChanged,
  RerankingUsed,
} from '@parlance/contracts';
import { publishing, say } from '@parlance/foundation';
import { type BotEvent, statusOf } from '../domain/bot.ts';
import type { ConfigurationChange } from '../domain/configuration.ts';
import type { EmbeddingUseEvent } from '../domain/embedding-use.ts';
import type { SyncCounts, SyncEvent } from '../domain/knowledge/sync-events.ts';
import type { PromptsEvent } from '../domain/prompts/prompts.ts';
import type { RerankingUseEvent } from '../domain/reranking-use.ts';
import { addedBy, type Sharing } from '../domain/sharing.ts';
import { botOfUploads, type UploadsEvent } from '../domain/uploads.ts';

type AnyEvent = BotEvent | SyncEvent | UploadsEvent | EmbeddingUseEvent | RerankingUseEvent | PromptsEvent;

/** No text of a bot or a prompt is public. */
export const publishBots = publishing<AnyEvent>('bots', {
  BotCreated: (event, bot_id) => say(BotCreated, { bot_id, owner_user_id: event.ownerUserId }),
  BotConfigured: ({ changes }, bot_id) => say(BotConfigured, { bot_id, changed: changedFields(changes) }),
  BotRestored: ({ version }, bot_id) => say(BotRestored, { bot_id, version }),
  BotWidened: (event, bot_id) => say(BotWidened, { bot_id, ...shared(event) }),
  BotNarrowed: (event, bot_id) => say(BotNarrowed, { bot_id, ...shared(event), because: event.because }),
  BotEditorsChanged: ({ after }, bot_id) => say(BotEditorsChanged, { bot_id, ...listsOf(after) }),
  BotPinned: ({ order }, bot_id) => say(BotPinned, { bot_id, order, status: statusOf('all', order) }),
  BotUnpinned: ({ order }, bot_id) => say(BotUnpinned, { bot_id, order, status: statusOf('all', null) }),
  BotDeleted: (event, bot_id) => say(BotDeleted, { bot_id, owner_user_id: event.ownerUserId }),
  BotDeletedWithOwner: (event, bot_id) => say(BotDeleted, { bot_id, owner_user_id: event.ownerUserId }),
  SyncRequested: (_, bot_id) => say(KnowledgeSyncRequested, { bot_id, because: 'requested' }),
  SyncScheduled: (_, bot_id) => say(KnowledgeSyncRequested, { bot_id, because: 'scheduled' }),
  SyncStarted: ({ runId, wanted, because }, bot_id) => say(KnowledgeSyncStarted, { bot_id, run_id: runId, version: wanted, because }),
  SyncAbandoned: ({ runId }, bot_id) => say(KnowledgeSyncAbandoned, { bot_id, run_id: runId }),
  SyncSucceeded: ({ runId, counts }, bot_id) =>
    say(KnowledgeSyncSucceeded, { bot_id, run_id: runId, sources: itemsOf(counts), chunks: counts.chunks }),
  SyncFailed: ({ runId, because, failures }, bot_id) => say(KnowledgeSyncFailed, { bot_id, run_id: runId, because, failures }),
  KnowledgeRemoved: ({ chunks }, bot_id) => say(KnowledgeRemoved, { bot_id, chunks }),
  EmbeddingUsed: ({ botId, userId, model, tokens, estimated, suspicious }, use_id) =>
    say(EmbeddingUsed, {
      use_id,
      bot_id: botId,
      user_id: userId,
      model,
      input_tokens: tokens,
      estimated,
      ...(suspicious && { suspicious }),
    }),
  RerankingUsed: ({ botId, userId, model, searches, tokens, estimated, suspicious }, use_id) =>
    say(RerankingUsed, {
      use_id,
      bot_id: botId,
      user_id: userId,
      model,
      searches,
      input_tokens: tokens,
      estimated,
      ...(suspicious && { suspicious }),
    }),
  UploadGranted: ({ file }, id) => say(FileUploadGranted, { bot_id: botOfUploads(id), file_id: file }),
  FileRemoved: ({ file }, id) => say(FileRemoved, { bot_id: botOfUploads(id), file_id: file }),
  FilesRemoved: ({ files }, id) => say(FilesRemoved, { bot_id: botOfUploads(id), files }),
  PromptCreated: ({ promptId: prompt_id }, owner_user_id) => say(PromptCreated, { prompt_id, owner_user_id }),
  PromptChanged: ({ promptId: prompt_id, changed }, owner_user_id) =>
    say(PromptChanged, { prompt_id, owner_user_id, changed: [...changed] }),
  PromptRestored: ({ promptId: prompt_id, restored: version }, owner_user_id) => say(PromptRestored, { prompt_id, owner_user_id, version }),
  PromptSharingChanged: ({ promptId: prompt_id, because, ...change }, owner_user_id) =>
    say(PromptSharingChanged, { prompt_id, owner_user_id, because, ...shared(change) }),
  PromptDeleted: ({ promptId: prompt_id }, owner_user_id) => say(PromptDeleted, { prompt_id, owner_user_id }),
});

const itemsOf = ({ pages, sitemaps, s3, files }: SyncCounts) => pages.done + sitemaps.done + s3.done + files.done;

function shared({ before, after }: { before: Sharing; after: Sharing }) {
  const { userIds, groupIds } = addedBy(before, after);
  return {
    shared_scope: after.scope,
    previous_scope: before.scope,
    ...listsOf(after),
    ...(userIds.length > 0 && { added_user_ids: [...userIds] }),
    ...(groupIds.length > 0 && { added_group_ids: [...groupIds] }),
  };
}

const listsOf = ({ userIds, groupIds, editorUserIds, editorGroupIds }: Sharing) => ({
  allowed_user_ids: [...userIds],
  allowed_group_ids: [...groupIds],
  editor_user_ids: [...editorUserIds],
  editor_group_ids: [...editorGroupIds],
});

/** The names of the fields in requests. */
function changedFields({ settings = {}, quickStarters, blockedText, ...texts }: ConfigurationChange): string[] {
  return [
    ...Object.keys(texts),
    ...(quickStarters === undefined ? [] : ['conversation_quick_starters']),
    ...(blockedText === undefined ? [] : ['guardrail_blocked_text']),
    ...Object.keys(settings),
  ];
}
