import { aggregate } from '@parlance/foundation';
import {
  conversation,
  type Conversation,
  type ConversationCommand,
  type ConversationEvent,
  conversationStream,
} from '../domain/conversation.ts';

/** `Submit` is the command `SubmitMessage`. */
type OtherCommand = Exclude<ConversationCommand, { type: 'Submit' }>;

export const ExecuteConversation = aggregate<OtherCommand, ConversationEvent, Conversation>(
  'ExecuteConversation',
  conversation,
  conversationStream,
);
