import { useEffect, useRef, useState } from 'react';
import { formatTime } from '../../../../messages/format.ts';
import { useMessages } from '../../../../messages/index.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ErrorNote } from '../../../../ui/states.tsx';
import { liveReplies } from '../../live/replies.ts';
import type { ToolCall } from '../../live/reply-parts.ts';

interface Props {
  readonly call: ToolCall;
  readonly conversationId: string;
  readonly replyId: string;
  /** The time for the decision has passed. */
  readonly isOver: boolean;
}

/** The decision about a call, while the server accepts one. */
export function Approval({ call, conversationId, replyId, isOver }: Props) {
  const { chat } = useMessages();
  const [decision, setDecision] = useState<boolean | null>(null);
  const [error, setError] = useState<unknown>(null);
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The focused button has disappeared.
    if (isOver && document.activeElement === document.body) note.current?.focus();
  }, [isOver]);

  const decide = async (isApproved: boolean) => {
    setDecision(isApproved);
    setError(null);
    try {
      await parlance.conversations.decide(conversationId, replyId, call.callId, isApproved);
    } catch (failure) {
      // The call may have been decided in another tab, or its time may have run out.
      setError(failure);
      setDecision(null);
    }
    liveReplies.follow(conversationId, replyId);
  };

  const until = call.expiresAt === null ? null : formatTime(call.expiresAt);
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p ref={note} role="status" tabIndex={-1} className="text-xs text-muted outline-none">
        {isOver && until !== null ? chat.approvalEnded(until) : chat.approvalText(until)}
      </p>
      {!isOver && (
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            size="small"
            isPending={decision === true}
            isDisabled={decision === false}
            onPress={() => void decide(true)}
          >
            {chat.approve}
          </Button>
          <Button size="small" isPending={decision === false} isDisabled={decision === true} onPress={() => void decide(false)}>
            {chat.deny}
          </Button>
        </div>
      )}
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
