import { useSyncExternalStore } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { currentSession, onSessionChange } from '../../../session/session-state.ts';
import { nameNewChat } from './new-chat-names.ts';
import type { LiveReply, Phase } from './live-reply.ts';
import { type Later, LiveReplies } from './live-replies.ts';
import { FramePacer } from './frame-pacer.ts';

const frames = new FramePacer({
  now: () => performance.now(),
  isVisible: () => document.visibilityState === 'visible',
  nextFrame: (callback) => void requestAnimationFrame(callback),
  afterFrame: (callback) => {
    // The message is handled after the layout and paint of the frame in which it was posted.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      callback();
    });
    port1.start();
    port2.postMessage(null);
  },
  later: (callback, millis) => void setTimeout(callback, millis),
});

const later: Later = (callback, millis) => {
  const timer = setTimeout(callback, millis);
  return () => clearTimeout(timer);
};

export const liveReplies = new LiveReplies(parlance.conversations, frames.next, later);

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

/** Lost replies are followed again at this interval, because an outage may last longer than a stream retries. */
const AGAIN_MILLIS = 10_000;
const followLost = () => {
  if (document.visibilityState === 'visible') liveReplies.followLost();
};
setInterval(followLost, AGAIN_MILLIS);
document.addEventListener('visibilitychange', followLost);
globalThis.addEventListener('online', followLost);

/** The reply as far as this page has received it. */
export const useLiveReply = (replyId: string): LiveReply | undefined =>
  useSyncExternalStore(liveReplies.subscribe, () => liveReplies.of(replyId));

/** The phase of a reply. Unlike the reply, it changes only a few times. */
export const useLivePhase = (replyId: string): Phase | undefined =>
  useSyncExternalStore(liveReplies.subscribe, () => liveReplies.of(replyId)?.phase);
