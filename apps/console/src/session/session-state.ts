import { queryClient } from '../api/query-client.ts';

/** `unknown` until the cookie has been tried. */
type SessionState = 'unknown' | 'signed-in' | 'signed-out';

let state: SessionState = 'unknown';
let user: string | null = null;
let isLeaving = false;
let wasLeft = false;
const listeners = new Set<() => void>();
/** The end of a session, as broadcast to other tabs. */
interface Ended {
  readonly user: string | null;
  readonly isLeft: boolean;
}
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parlance-session') : null;

function change(next: SessionState): void {
  if (state === next) return;
  state = next;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** A page with unsaved changes stays open when the session ends, unless the user signs out, possibly afterwards. */
function end(isLeft: boolean): void {
  if (state === 'signed-out' && (wasLeft || !isLeft)) return;
  wasLeft = isLeft;
  state = 'signed-out';
  tell();
}

export const sessionBegan = (): void => change('signed-in');

/** Sets the session's user before it begins. An ended session continues if its user has signed in again in another tab. */
export function sessionIsOf(userId: string | null): void {
  if (user !== null && user !== userId) queryClient.clear();
  user = userId;
  if (state === 'signed-out') change('signed-in');
}

export function sessionEnded(): void {
  if (state === 'signed-in' || isLeaving) channel?.postMessage({ user, isLeft: isLeaving } satisfies Ended);
  end(isLeaving);
}

/** Signs out. A session end that arrives meanwhile counts as the user's own. */
export async function leave(signOut: () => Promise<void>): Promise<void> {
  isLeaving = true;
  try {
    await signOut();
  } finally {
    isLeaving = false;
  }
}

/** Whether the user has signed out. Otherwise the page is opened again after the next sign-in. */
export const wasSessionLeft = (): boolean => wasLeft;

if (channel)
  channel.addEventListener('message', ({ data }: MessageEvent<Ended>) => {
    // Another user may have signed in in this tab.
    if (data.user === user) end(data.isLeft);
  });

export const currentSession = (): SessionState => state;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
