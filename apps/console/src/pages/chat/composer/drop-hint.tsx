import { useMessages } from '../../../messages/index.ts';

/** Covers the page while files are dragged over it. */
export function DropHint() {
  const { chat } = useMessages();
  return (
    <p
      aria-hidden
      className="pointer-events-none fixed inset-2 z-40 flex items-center justify-center rounded-md border-2 border-dashed border-accent"
    >
      <span className="rounded-md bg-accent-soft px-4 py-2 text-sm font-medium text-accent shadow-raised">{chat.dropFiles}</span>
    </p>
  );
}
