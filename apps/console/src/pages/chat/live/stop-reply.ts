import { parlance } from '../../../session/parlance.ts';
import { toastError } from '../../../ui/toasts.tsx';
import { liveReplies } from './replies.ts';

export const stopReply = (conversationId: string, replyId: string): Promise<void> =>
  // A reply waiting for approval has no open stream.
  parlance.conversations.cancel(conversationId, replyId).then(() => liveReplies.follow(conversationId, replyId), toastError);
