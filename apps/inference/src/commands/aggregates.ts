import { aggregate } from '@parlance/foundation';
import { conversation, conversationStream } from '../domain/conversation.ts';

/** For all commands but `Submit`, which is `SubmitMessage`. */
export const ExecuteConversation = aggregate('ExecuteConversation', conversation, conversationStream);
