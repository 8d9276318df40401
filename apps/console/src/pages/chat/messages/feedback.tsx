import type { Feedback as Given } from '@parlance/client/types';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { keepFeedback } from '../conversation/conversation-query.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const FeedbackDialog = lazyPart(() => import('./feedback-dialog.tsx'), 'FeedbackDialog');

type Rating = Parameters<typeof parlance.conversations.rate>[2];

interface Props {
  readonly conversationId: string;
  readonly replyId: string;
  readonly given: Given | undefined;
}

/** Thumbs up at once; thumbs down with a reason. */
export function Feedback({ conversationId, replyId, given }: Props) {
  const { chat } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);

  const rate = async (rating: Rating) => {
    keepFeedback(await parlance.conversations.rate(conversationId, replyId, rating));
    toast(chat.feedbackThanks);
  };
  const praise = async () => {
    setPending(true);
    await rate({ thumbs_up: true }).catch(toastError);
    setPending(false);
  };

  return (
    <>
      <IconButton
        label={chat.good}
        aria-pressed={given?.thumbs_up === true}
        isDisabled={isPending}
        className={given?.thumbs_up === true ? 'text-accent!' : ''}
        onPress={() => void praise()}
      >
        <ThumbsUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label={chat.bad}
        aria-pressed={given?.thumbs_up === false}
        className={given?.thumbs_up === false ? 'text-accent!' : ''}
        onPress={() => setOpen(true)}
      >
        <ThumbsDown aria-hidden className="size-4" />
      </IconButton>
      {isOpen && (
        <Suspense>
          <FeedbackDialog given={given} onSend={(reason) => rate({ thumbs_up: false, ...reason })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
