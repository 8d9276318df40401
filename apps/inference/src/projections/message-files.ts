import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type At, type Change, type Cursor, type Page, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import { ownerKey } from '../domain/conversation-owner.ts';
import type { ImportEvent } from '../domain/conversation-import.ts';
import type { Inactive } from './inactive-conversations.ts';
import { messageKey } from './messages/message-rows.ts';

/** A message whose files are in the object store. */
export interface MessageFilesRow {
  conversation_id: string;
  message_id: string;
  /** The owner, as `ownerKey` names it. Temporary conversations have the same owner. */
  holder: string;
  bot_id: string | null;
  /** The number of files. */
  files: number;
  /** When the message was sent. */
  sent_at: Instant;
}

/** A message whose files a retention rule is removing. */
export interface FileRemovalRow {
  conversation_id: string;
  message_id: string;
  begun_at: Instant;
}

const REMOVALS_AT_ONCE = 50;

export const messageFilesRows = table<MessageFilesRow>('message_files', {
  byTime: ['sent_at'],
  byBot: ['bot_id', 'sent_at'],
  byHolder: ['holder', 'sent_at'],
});
export const fileRemovalRows = table<FileRemovalRow>('file_removals', { byBegun: ['begun_at'] });

/** The files of messages by their age, for retention rules. */
export const messageFiles = projection<ConversationEvent>({
  name: 'message-files',
  version: 2,
  tables: [messageFilesRows, fileRemovalRows],
  on: {
    MessageSubmitted: ({ userId, botId, api, messageId, files }, { stream, metadata: { at } }) =>
      files ? [kept(stream, ownerKey({ userId, apiId: api?.apiId }), botId, messageId, files.length, at)] : [],
    ToolAnswered: ({ files, replyId, userId, botId = null, api }, { stream, metadata: { at } }) => {
      if (!files || userId === undefined) return [];
      const owned = { holder: ownerKey({ userId, apiId: api?.apiId }), bot_id: botId, sent_at: at };
      const place = { conversation_id: idInStream(stream), message_id: replyId };
      return [
        update(messageFilesRows, messageKey(place.conversation_id, replyId), (row) => ({
          ...(row ?? { ...place, ...owned }),
          files: (row?.files ?? 0) + files.length,
        })),
      ];
    },
    ConversationImported: (event, at) => imported(event, at),
    MessagesImported: (event, at) => imported(event, at),
    MessageFilesExpired: ({ messageId }, { stream, metadata: { at } }) => {
      const conversation_id = idInStream(stream);
      const key = messageKey(conversation_id, messageId);
      return [remove(messageFilesRows, key), put(fileRemovalRows, key, { conversation_id, message_id: messageId, begun_at: at })];
    },
    MessageFilesRemoved: ({ messageId }, { stream }) => [remove(fileRemovalRows, messageKey(idInStream(stream), messageId))],
    MessagesRemoved: ({ messageIds }, { stream }) => without(stream, messageIds),
    ConversationErased: ({ messageIds = [] }, { stream }) => without(stream, messageIds),
  },
});

function kept(stream: string, holder: string, bot_id: string | null, message_id: string, files: number, sent_at: Instant): Change {
  const conversation_id = idInStream(stream);
  const row = { conversation_id, message_id, holder, bot_id, files, sent_at };
  return put(messageFilesRows, messageKey(conversation_id, message_id), row);
}

const imported = ({ userId, botId, messages }: ImportEvent, { stream }: At): Change[] =>
  messages.flatMap(({ id, files, at }) => (files ? [kept(stream, ownerKey({ userId }), botId, id, files.length, at)] : []));

const without = (stream: string, messageIds: readonly string[]): Change[] =>
  messageIds.flatMap((id) => [messageFilesRows, fileRemovalRows].map((each) => remove(each, messageKey(idInStream(stream), id))));

/** Messages with files that were sent before a time, the oldest first. The name of a list is an owner. */
export const FilesUntil = query(
  'FilesUntil',
  async (models, which: Inactive, until: Instant, limit: number, after: Cursor | null): Promise<Page<MessageFilesRow>> => {
    const page = { to: until, limit, ...(after && { after }) } as const;
    switch (which.of) {
      case 'all':
        return models.find(messageFilesRows, { index: 'byTime', ...page });
      case 'bot':
        return models.find(messageFilesRows, { index: 'byBot', where: { bot_id: which.botId }, ...page });
      case 'list':
        return models.find(messageFilesRows, { index: 'byHolder', where: { holder: which.list }, ...page });
    }
  },
);

/** Removals of files that began before a time and have not ended, the oldest first. */
export const FileRemovalsBegun = query('FileRemovalsBegun', (models, until: Instant, after: Cursor | null): Promise<Page<FileRemovalRow>> =>
  models.find(fileRemovalRows, { index: 'byBegun', to: until, limit: REMOVALS_AT_ONCE, ...(after && { after }) }),
);
