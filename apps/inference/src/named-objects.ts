import { idInStream } from '@parlance/event-store';
import { named, type ObjectNames, type ObjectNaming, released } from '@parlance/object-store';
import { objectKeysOf, objectPrefixOf } from './adapters/files/message-files.ts';
import { gatewayFileKey } from './adapters/gateway/gateway-file-store.ts';
import { conversationSubject } from './commands/conversation-subject.ts';
import type { ConversationEvent, MessageFile } from './domain/conversation-events.ts';
import type { GatewayFilesEvent } from './domain/gateway/gateway-files.ts';
import { gatewayFileSubject } from './workflows/gateway/stored-files.ts';

type NamingEvent = ConversationEvent | Extract<GatewayFilesEvent, { type: 'GatewayFileAdded' | 'GatewayFileRemoved' }>;

/**
 * The files of messages, and the files that programs store for calls of models. When they are erased, their keys are destroyed first, and some files
 * are removed before an event records it. Exports of own data and results of batches are left out, because they are stored for a short time.
 */
export const namedObjects: ObjectNames = (stream, occurred) => {
  const event = occurred as NamingEvent;
  const id = idInStream(stream);
  switch (event.type) {
    case 'MessageSubmitted':
      return filesOf(id, event.userId, event.files);
    case 'ToolAnswered':
      return event.userId === undefined ? [] : filesOf(id, event.userId, event.files);
    case 'ConversationImported':
    case 'MessagesImported':
      return event.messages.flatMap(({ files }) => filesOf(id, event.userId, files));
    case 'MessageFilesExpired':
      return [released(objectPrefixOf(id, event.messageId))];
    case 'MessagesRemoved':
      return event.messageIds.map((messageId) => released(objectPrefixOf(id, messageId)));
    case 'ConversationErasureBegun':
    case 'ConversationErased':
      return [released(objectPrefixOf(id))];
    case 'GatewayFileAdded':
      return [named(gatewayFileKey(id, event.fileId), gatewayFileSubject(event.fileId, id).id)];
    case 'GatewayFileRemoved':
      return [released(gatewayFileKey(id, event.fileId))];
    default:
      return [];
  }
};

const filesOf = (conversationId: string, userId: string, files: readonly MessageFile[] = []): ObjectNaming[] =>
  files.flatMap((file) => objectKeysOf(conversationId, file)).map((key) => named(key, conversationSubject(conversationId, userId).id));
