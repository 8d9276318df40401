import { useSyncExternalStore } from 'react';
import { ParlanceError } from '@parlance/client';
import { queryClient } from '../../../api/query-client.ts';
import { currentSession, onSessionChange } from '../../../session/session-state.ts';
import { conversationQuery } from '../conversation/conversation-query.ts';
import { isUnsent } from '../conversation/message-tree.ts';
import { ask } from '../live/ask.ts';
import { type Comparison, Comparisons } from './comparisons.ts';

/** A message that was just accepted might not be readable yet. */
const TRIES = 6;
const PAUSE_MILLIS = 200;

async function questionOf(conversationId: string, replyId: string): Promise<string> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const { messages } = await queryClient.fetchQuery({ ...conversationQuery(conversationId), staleTime: 0 });
    const parent = messages[replyId]?.parent;
    if (parent && !isUnsent(parent)) return parent;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS * tries));
  }
  throw new ParlanceError('message_not_found', 'The question could not be read. Try again.');
}

export const comparisons = new Comparisons({ ask, questionOf });

onSessionChange(() => {
  if (currentSession() === 'signed-out') comparisons.clear();
});

/** The open comparison of a chat. */
export const useComparison = (conversationId: string): Comparison | undefined =>
  useSyncExternalStore(comparisons.subscribe, () => comparisons.of(conversationId));
