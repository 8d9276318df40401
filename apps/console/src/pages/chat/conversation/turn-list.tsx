import type { Message, MessageBody } from '@parlance/client/types';
import type { Turn } from './message-tree.ts';
import { likelyHeight } from './likely-height.ts';
import { Reply } from '../messages/reply.tsx';
import { UserMessage } from '../messages/user-message.tsx';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly nameOf: (model: string) => string;
  readonly onShow: (messageId: string) => void;
  readonly onEdit: (message: Message, content: MessageBody['content']) => Promise<boolean>;
  readonly onAgain: (questionId: string) => void;
  readonly onContinue: (message: Message) => void;
}

/** Characters of a line on phones and elsewhere. */
const [NARROW, WIDE] = [36, 80];

/** Messages out of view are not laid out, except the last ones, which grow. */
const ALWAYS_LAID_OUT = 4;

export function TurnList({ conversationId, turns, nameOf, onShow, onEdit, onAgain, onContinue }: Props) {
  const lineLength = matchMedia('(max-width: 640px)').matches ? NARROW : WIDE;
  return (
    <ol className="flex flex-col gap-6">
      {/* Versions of a message share a React key, so that the buttons between them keep the focus. */}
      {turns.map((turn, index) => {
        const { message } = turn;
        const isFar = index < turns.length - ALWAYS_LAID_OUT;
        return (
          <li
            key={message.parent ?? 'first'}
            id={message.message_id}
            className={isFar ? '[content-visibility:auto]' : undefined}
            style={isFar ? { containIntrinsicHeight: `auto ${likelyHeight(message, lineLength)}px` } : undefined}
          >
            {message.role === 'user' ? (
              <UserMessage conversationId={conversationId} turn={turn} onShow={onShow} onEdit={onEdit} />
            ) : (
              <Reply
                conversationId={conversationId}
                turn={turn}
                modelName={nameOf(message.model)}
                isLast={index === turns.length - 1}
                onShow={onShow}
                onAgain={onAgain}
                onContinue={onContinue}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}
