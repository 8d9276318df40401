import { ParlanceError } from '@parlance/client';
import type { MessageBody } from '@parlance/client/types';
import { useCallback, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { type Ask, ask } from '../live/ask.ts';

/** Sends messages, one at a time, with what is shown meanwhile. */
export function useAsking(onBegun: (place: { conversationId: string; replyId: string }) => void) {
  const [sending, setSending] = useState<{ content: MessageBody['content']; parentId: string | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const send = useCallback(
    async (asked: Ask): Promise<boolean> => {
      setSending({ content: asked.content, parentId: asked.parentId });
      setError(null);
      try {
        onBegun(await ask(asked));
        return true;
      } catch (failure) {
        setError(failure);
        // In another tab a reply may have been asked for, which is then followed here, or the chat may have been deleted.
        if (failure instanceof ParlanceError && (failure.status === 404 || failure.status === 409) && asked.conversationId !== null)
          void queryClient.invalidateQueries({ queryKey: ['conversation', asked.conversationId] });
        return false;
      } finally {
        setSending(null);
      }
    },
    [onBegun],
  );
  return { sending, error, send };
}
