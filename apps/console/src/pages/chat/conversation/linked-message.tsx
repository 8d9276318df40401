import { useEffect, useLayoutEffect, useRef } from 'react';
import { toastError } from '../../../ui/toasts.tsx';
import { loadEarlier } from './conversation-query.ts';
import type { LoadedConversation } from './loaded-conversation.ts';

/** More than a reader loads with a button: the message may be far back, and the messages before it are not drawn until they are in view. */
const PAGE = 200;

interface Props {
  readonly conversation: LoadedConversation;
  readonly id: string;
}

/** Moves to the message of a link once. Loads earlier messages until it is among them. */
export function LinkedMessage({ conversation: { conversation_id: conversationId, messages, next_token: token }, id }: Props) {
  const isLoaded = messages[id] !== undefined;
  const isDone = useRef(false);
  useEffect(() => {
    if (!isLoaded && token !== null) void loadEarlier(conversationId, PAGE).catch(toastError);
  }, [isLoaded, token, conversationId]);
  // Without dependencies: the chat is rendered again when the message is drawn.
  useLayoutEffect(() => {
    const message = document.getElementById(id);
    if (message === null || isDone.current) return;
    isDone.current = true;
    // After the next frame, in which a list that follows its end scrolls there. Moving away from the end then stops that.
    requestAnimationFrame(() =>
      setTimeout(() => {
        void message.scrollIntoView();
        message.tabIndex = -1;
        message.focus({ preventScroll: true });
      }),
    );
  });
  return null;
}
