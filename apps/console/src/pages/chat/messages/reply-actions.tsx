import { Info, RefreshCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CopyIcon } from '../../../ui/copy-button.tsx';
import { lazyPart, Nothing } from '../../../ui/lazy-part.tsx';
import { useConfig } from '../../../session/use-me.ts';
import { BranchSwitch } from './branch-switch.tsx';
import { Feedback } from './feedback.tsx';
import type { ReplyProps } from './reply-props.ts';

const ReplyDetails = lazyPart(() => import('./reply-details.tsx'), 'ReplyDetails');

const ReadAloud = lazyPart(() => import('../speech/read-aloud.tsx'), 'ReadAloud', Nothing);

interface Props extends Omit<ReplyProps, 'onAgain'> {
  readonly text: string;
  readonly isFailed: boolean;
  /** Undefined until the question is read from the server. */
  readonly onAgain: (() => void) | undefined;
}

/** The buttons below a reply. Its details have its tokens and its cost. */
export function ReplyActions({ conversationId, turn, text, isFailed, onShow, onAgain }: Props) {
  const { chat } = useMessages();
  const speech = useConfig().data?.speech;
  const [isOpen, setOpen] = useState(false);
  const { message } = turn;
  const replyId = message.message_id;
  return (
    <div className="-ms-2.5 mt-1 flex flex-wrap items-center gap-0.5 print:hidden">
      <BranchSwitch turn={turn} onShow={onShow} />
      {text !== '' && <CopyIcon text={text} />}
      {text !== '' && speech && (
        <Suspense>
          <ReadAloud replyId={replyId} text={text} speech={speech} />
        </Suspense>
      )}
      {!isFailed && <Feedback conversationId={conversationId} replyId={replyId} given={message.feedback} />}
      {!isFailed && (
        <IconButton label={chat.again} isDisabled={!onAgain} onPress={onAgain}>
          <RefreshCw aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={chat.details} onPress={() => setOpen(true)}>
        <Info aria-hidden className="size-4" />
      </IconButton>
      {isOpen && (
        <Suspense>
          <ReplyDetails conversationId={conversationId} replyId={replyId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
