import { Info, RefreshCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { formatMoney } from '../../../messages/format.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useLiveReply } from '../live/replies.ts';
import { BranchSwitch } from './branch-switch.tsx';
import { Feedback } from './feedback.tsx';
import type { ReplyProps } from './reply-props.ts';

const ReplyDetails = lazy(() => import('./reply-details.tsx').then((its) => ({ default: its.ReplyDetails })));

/** The buttons below a reply, and its tokens and cost where they are known. */
export function ReplyActions({
  conversationId,
  turn,
  text,
  isFailed,
  onShow,
  onAgain,
}: ReplyProps & { readonly text: string; readonly isFailed: boolean }) {
  const { chat } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const { message } = turn;
  const replyId = message.message_id;
  const ended = useLiveReply(replyId);
  return (
    <div className="-ms-2.5 mt-1 flex flex-wrap items-center gap-0.5">
      <BranchSwitch turn={turn} onShow={onShow} />
      {text !== '' && <CopyButton text={text} />}
      {!isFailed && <Feedback conversationId={conversationId} replyId={replyId} given={message.feedback} />}
      {!isFailed && (
        <IconButton label={chat.again} onPress={() => onAgain(message)}>
          <RefreshCw aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={chat.details} onPress={() => setOpen(true)}>
        <Info aria-hidden className="size-4" />
      </IconButton>
      {ended?.usage && (
        <span className="ps-1 text-xs text-muted">
          {chat.tokens(ended.usage.input_tokens, ended.usage.output_tokens)} · {formatMoney(ended.cost ?? 0)}
        </span>
      )}
      {isOpen && (
        <Suspense>
          <ReplyDetails conversationId={conversationId} replyId={replyId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
