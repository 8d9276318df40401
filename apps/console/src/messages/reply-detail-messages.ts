import { replyDetails } from './en/chat/reply-details.ts';
import { hookOf } from './index.ts';

/** The texts about how a reply was made, loaded with the first details. */
export const useReplyDetailMessages = hookOf('replyDetails', replyDetails);
