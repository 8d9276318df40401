/** `unknown` until the cookie has been tried. */
type SessionState = 'unknown' | 'signed-in' | 'signed-out';

let state: SessionState = 'unknown';
let user: string | null = null;
let isLeaving = false;
let wasLeft = false;
const listeners = new Set<() => void>();
/** An end, as the other tabs learn of it. */
interface Ended {
  readonly user: string | null;
  readonly isLeft: boolean;
}
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parlance-session') : null;

function change(next: SessionState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export const sessionBegan = (): void => change('signed-in');

/** Whose session it is, before it begins. One that has ended goes on when its user has signed in again in another tab. */
export function sessionIsOf(userId: string | null): void {
  user = userId;
  if (state === 'signed-out') change('signed-in');
}

export function sessionEnded(): void {
  if (state !== 'signed-out') wasLeft = isLeaving;
  if (state === 'signed-in') channel?.postMessage({ user, isLeft: isLeaving } satisfies Ended);
  change('signed-out');
}

/** Signs out. An end meanwhile is one that the user wants. */
export async function leave(signOut: () => Promise<void>): Promise<void> {
  isLeaving = true;
  try {
    await signOut();
  } finally {
    isLeaving = false;
  }
}

/** The user has signed out. Otherwise the page is opened again after the next sign-in. */
export const wasSessionLeft = (): boolean => wasLeft;

if (channel)
  channel.addEventListener('message', ({ data }: MessageEvent<Ended>) => {
    // Another user may have signed in in this tab.
    if (data.user !== user) return;
    wasLeft = data.isLeft;
    change('signed-out');
  });

export const currentSession = (): SessionState => state;

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
