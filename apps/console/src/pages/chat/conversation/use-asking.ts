import { ParlanceError } from '@parlance/client';
import type { MessageBody } from '@parlance/client/types';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { type Ask, ask } from '../live/ask.ts';

interface Begun {
  readonly conversationId: string;
  readonly replyId: string;
  /** Whether the user is still on the page from which the message was sent. */
  readonly isHere: boolean;
}

/**
 * Sends messages, one at a time, and provides what is shown meanwhile. `send` returns the ID of the chat, or null if the message was not
 * sent. `onBegun` may open the page of a new chat: nothing else is sent until it is open.
 */
export function useAsking(onBegun: (begun: Begun) => unknown) {
  const router = useRouter();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const [sending, setSending] = useState<{ content: MessageBody['content']; parentId: string | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const send = useCallback(
    async (asked: Ask): Promise<string | null> => {
      const from = router.latestLocation.href;
      setSending({ content: asked.content, parentId: asked.parentId });
      setError(null);
      try {
        const place = await ask(asked);
        const leading = onBegun({ ...place, isHere: isOpen.current && router.latestLocation.href === from });
        // The user may have navigated back meanwhile.
        void Promise.resolve(leading).finally(
          () => (leading && router.latestLocation.pathname.endsWith(place.conversationId)) || setSending(null),
        );
        return place.conversationId;
      } catch (failure) {
        setSending(null);
        setError(failure);
        // Another tab may have requested a reply, which is then followed here, or deleted the chat.
        if (failure instanceof ParlanceError && (failure.status === 404 || failure.status === 409) && asked.conversationId !== null)
          void queryClient.invalidateQueries({ queryKey: ['conversation', asked.conversationId] });
        return null;
      }
    },
    [onBegun, router],
  );
  return { sending, error, send };
}
