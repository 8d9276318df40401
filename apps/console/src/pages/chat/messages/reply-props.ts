import type { Message } from '@parlance/client/types';
import type { Turn } from '../conversation/message-tree.ts';

export interface ReplyProps {
  readonly conversationId: string;
  readonly turn: Turn;
  readonly modelName: string;
  readonly isLast: boolean;
  readonly onShow: (messageId: string) => void;
  /** Asks for another reply to this message. */
  readonly onAgain: (questionId: string) => void;
  readonly onContinue: (message: Message) => void;
}
