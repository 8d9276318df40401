import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useMessages } from '../messages/index.ts';
import { IconButton } from './button.tsx';
import { errorText } from '../api/error-text.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

/** How long a message is shown. An error stays until the user closes it. */
const SHOWN_MILLIS = 5_000;
const MOST = 4;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const close = (id: number) => change(toasts.filter((toast) => toast.id !== id));

function add(text: string, isError: boolean): void {
  const id = ++last;
  change([...toasts, { id, text, isError }].slice(-MOST));
  if (!isError) setTimeout(() => close(id), SHOWN_MILLIS);
}

/** Shows a message about a success. */
export const toast = (text: string): void => add(text, false);
/** Shows a message about a failure. */
export const toastError = (error: unknown): void => add(errorText(error), true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const { common } = useMessages();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-4 z-50 mx-auto max-sm:top-14 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {shown.map(({ id, text, isError }) => (
        <div
          key={id}
          className="pointer-events-auto flex items-start gap-2 rounded-md border border-line bg-raised py-2 ps-4 pe-2 shadow-raised"
        >
          <span className="py-1.5">
            {isError ? <CircleAlert aria-hidden className="size-5 text-bad" /> : <CircleCheck aria-hidden className="size-5 text-ok" />}
          </span>
          <p className="grow py-1.5 text-sm">{text}</p>
          <IconButton label={common.close} onPress={() => close(id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
