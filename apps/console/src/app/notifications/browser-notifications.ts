import { onSessionChange } from '../../session/session-state.ts';

/** Undefined in browsers without notifications, and over http. */
const browser = (): typeof Notification | undefined => globalThis.Notification;

export const isAllowed = (): boolean => browser()?.permission === 'granted';
/** Whether the user can still be asked. */
export const canAsk = (): boolean => browser()?.permission === 'default';
export const isDenied = (): boolean => browser()?.permission === 'denied';

/** Must be called when the user presses a button. */
export const ask = async (): Promise<void> => void (await browser()?.requestPermission());

export interface ShownNotification {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly unread: boolean;
}

/** The notifications that this page has had for its user. Null before the first ones, which are not new. */
let known: Set<string> | null = null;
// The next user may be another one.
onSessionChange(() => (known = null));

/** What one tab has shown, or its user has seen, is not new in the others. They look at their own times. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parlance-notifications') : null;
tabs?.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
  for (const id of data) known?.add(id);
});

/** Shows new notifications in the browser, in one tab, if the user allowed it and does not see the page. */
export function showNew(all: readonly ShownNotification[]): void {
  const fresh = known === null ? [] : all.filter(({ id, unread }) => unread && !known?.has(id));
  // Bots and prompts are missing from the list while their titles cannot be read. They are not new afterwards.
  known = new Set([...(known ?? []), ...all.map(({ id }) => id)]);
  const seen = document.hidden ? fresh : all;
  if (seen.length > 0) tabs?.postMessage(seen.map(({ id }) => id));
  if (!isAllowed() || !document.hidden) return;
  for (const { id, title, text } of fresh) show(title, { body: text, tag: id });
}

function show(title: string, options: NotificationOptions): void {
  try {
    // The browser closes it. It needs no handler.
    void new Notification(title, options);
  } catch {
    // Some browsers of phones allow this only to service workers.
  }
}
