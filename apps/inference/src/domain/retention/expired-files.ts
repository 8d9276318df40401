import type { Decision } from '@parlance/decider';
import type { ConversationCommand } from '../conversation-commands.ts';
import type { ConversationEvent } from '../conversation-events.ts';
import { conversationNotFound } from '../conversation-refusals.ts';
import { type Conversation, isClosed } from '../conversation-state.ts';

type FilesCommand = Extract<ConversationCommand, { type: 'ExpireFiles' | 'EndFiles' }>;

/** Removes the files of a message, which itself stays. A hold keeps the files. A conversation that is being deleted removes its own files. */
export function decideFiles(command: FilesCommand, state: Conversation): Decision<ConversationEvent> {
  const { userId, botId, apiId } = state;
  if (isClosed(state) || userId === null) return conversationNotFound();
  const { messageId } = command;
  if (command.type === 'EndFiles') return [{ type: 'MessageFilesRemoved', messageId }];
  // A reply that is being written may get further images. They are removed together, when it has ended.
  if (command.holds.length > 0 || state.running[messageId]) return [];
  const { files, ruleId } = command;
  return [{ type: 'MessageFilesExpired', userId, botId, ...(apiId !== undefined && { apiId }), messageId, files, ruleId }];
}
