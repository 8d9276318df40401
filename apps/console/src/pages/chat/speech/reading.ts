import type { GlobalConfig } from '@parlance/client/types';
import { useSyncExternalStore } from 'react';
import { longRender } from '../../../api/long-request.ts';

export type Speech = NonNullable<GlobalConfig['speech']>;

interface Reading {
  readonly replyId: string;
  readonly isHeard: boolean;
  readonly stop: AbortController;
}

/** Only one reply is read aloud at a time. */
let current: Reading | null = null;
const listeners = new Set<() => void>();

function change(next: Reading | null): void {
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a reply is being read aloud; `loading` until it is heard. */
export const useReading = (replyId: string): 'loading' | 'heard' | null =>
  useSyncExternalStore(subscribe, () => (current?.replyId !== replyId ? null : current.isHeard ? 'heard' : 'loading'));

export function stopReading(replyId?: string): void {
  if (current === null || (replyId !== undefined && current.replyId !== replyId)) return;
  current.stop.abort();
  change(null);
}

/** Resolves when all pieces were heard, or when it was stopped. */
export async function readAloud(replyId: string, pieces: readonly string[], speech: Speech): Promise<void> {
  stopReading();
  const stop = new AbortController();
  change({ replyId, isHeard: false, stop });
  const { signal } = stop;
  const audioOf = (input: string) => longRender('/v1/audio/speech', { ...speech, input }, signal);
  const player = new Audio();
  signal.addEventListener('abort', () => player.pause());
  try {
    let next = audioOf(pieces[0]!);
    for (let at = 0; at < pieces.length; at++) {
      const audio = await next;
      if (at + 1 < pieces.length) {
        // Prepared while this piece is heard. Each piece is charged, so there are no more.
        next = audioOf(pieces[at + 1]!);
        next.catch(() => undefined);
      }
      if (current?.stop === stop && !current.isHeard) change({ ...current, isHeard: true });
      await heard(player, audio, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stop.abort();
    if (current?.stop === stop) change(null);
  }
}

/** Plays one piece to its end. */
async function heard(player: HTMLAudioElement, audio: Blob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const over = new AbortController();
  const once = { once: true, signal: over.signal };
  player.addEventListener('ended', () => resolve(), once);
  player.addEventListener('error', () => reject(new DOMException(player.error?.message)), once);
  signal.addEventListener('abort', () => reject(signal.reason as Error), once);
  const url = URL.createObjectURL(audio);
  player.src = url;
  try {
    await Promise.all([player.play(), promise]);
  } finally {
    over.abort();
    URL.revokeObjectURL(url);
  }
}
