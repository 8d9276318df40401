import { useSyncExternalStore } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { currentSession, onSessionChange } from '../../../session/session-state.ts';
import { nameNewChat } from './new-chat-names.ts';
import type { LiveReply, Phase } from './live-reply.ts';
import { type Later, LiveReplies, type NextFrame } from './live-replies.ts';

/** Hidden pages have no frames. */
const HIDDEN_MILLIS = 250;

/** Half of the time of a growing text is spent on painting. More pictures in a second do not read better. */
const PICTURE_MILLIS = 40;
let lastPicture = 0;

const nextFrame: NextFrame = (callback) => {
  const draw = () => {
    lastPicture = performance.now();
    callback();
  };
  if (document.visibilityState !== 'visible') return void setTimeout(draw, HIDDEN_MILLIS);
  const rest = lastPicture + PICTURE_MILLIS - performance.now();
  if (rest <= 0) requestAnimationFrame(draw);
  else setTimeout(() => requestAnimationFrame(draw), rest);
};

const later: Later = (callback, millis) => {
  const timer = setTimeout(callback, millis);
  return () => clearTimeout(timer);
};

export const liveReplies = new LiveReplies(parlance.conversations, nextFrame, later);

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') liveReplies.lookAtWaiting();
});

onSessionChange(() => {
  if (currentSession() === 'signed-out') liveReplies.clear();
});
liveReplies.onEnd(async (conversationId, _, { phase }) => {
  await queryClient.invalidateQueries({ queryKey: ['conversation', conversationId] });
  if (phase === 'done') await nameNewChat(conversationId);
  await queryClient.invalidateQueries({ queryKey: ['chats'] });
});

/** The server may be away for longer than a stream waits for it. */
const AGAIN_MILLIS = 10_000;
const followLost = () => {
  if (document.visibilityState === 'visible') liveReplies.followLost();
};
setInterval(followLost, AGAIN_MILLIS);
document.addEventListener('visibilitychange', followLost);
globalThis.addEventListener('online', followLost);

/** The reply as far as it was received in this page. */
export const useLiveReply = (replyId: string): LiveReply | undefined =>
  useSyncExternalStore(liveReplies.subscribe, () => liveReplies.of(replyId));

/** Changes a few times in a reply, however long it is. */
export const useLivePhase = (replyId: string): Phase | undefined =>
  useSyncExternalStore(liveReplies.subscribe, () => liveReplies.of(replyId)?.phase);
