import { ParlanceError } from '@parlance/client';
import type { MessageBody } from '@parlance/client/types';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { comparisons } from '../comparison/open-comparisons.ts';
import { type Ask, ask } from '../live/ask.ts';

interface Begun {
  readonly conversationId: string;
  readonly replyId: string;
  /** Whether the user is still on the page from which the message was sent. */
  readonly isHere: boolean;
}

/** Why a message was not sent. */
export interface Failure {
  readonly error: unknown;
  readonly content: MessageBody['content'];
}

/**
 * Sends messages, one at a time, and returns the state to show meanwhile. `send` gets several models if their replies are to be compared. It returns
 * the ID of the chat, or null if the message was not sent. `onBegun` may open the page of a new chat: nothing else is sent until it is open.
 */
export function useAsking(onBegun: (begun: Begun) => unknown) {
  const router = useRouter();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const [sending, setSending] = useState<{ content: MessageBody['content']; parentId: string | null } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const send = useCallback(
    async (request: Ask, compared: readonly string[] = []): Promise<string | null> => {
      const from = router.latestLocation.href;
      setSending({ content: request.content, parentId: request.parentId });
      setFailure(null);
      try {
        const begun = await (compared.length > 0 ? comparisons.begin(request, compared) : ask(request));
        const leading = onBegun({ ...begun, isHere: isOpen.current && router.latestLocation.href === from });
        // The user may have navigated back meanwhile.
        void Promise.resolve(leading).finally(
          () => (leading && router.latestLocation.pathname.endsWith(begun.conversationId)) || setSending(null),
        );
        return begun.conversationId;
      } catch (error) {
        setSending(null);
        setFailure({ error, content: request.content });
        // Another tab may have requested a reply, which is then followed here, or deleted the chat.
        if (error instanceof ParlanceError && (error.status === 404 || error.status === 409) && request.conversationId !== null)
          void queryClient.invalidateQueries({ queryKey: ['conversation', request.conversationId] });
        return null;
      }
    },
    [onBegun, router],
  );
  return { sending, failure, send };
}
