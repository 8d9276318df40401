import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { Turn } from '../conversation/message-tree.ts';

/** Switches between the versions of a message: ‹2/3›. */
export function BranchSwitch({ turn, onShow }: { readonly turn: Turn; readonly onShow: (messageId: string) => void }) {
  const { chat } = useMessages();
  const { siblings, message } = turn;
  const group = useRef<HTMLDivElement>(null);
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(message.message_id);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const show = (id: string | undefined) => {
    if (id === undefined) return;
    // At the first and the last version, the pressed button is disabled and would lose the focus.
    if (id === siblings[0] || id === siblings.at(-1)) group.current?.focus();
    onShow(id);
  };
  return (
    <div ref={group} tabIndex={-1} role="group" aria-label={chat.versions} className="flex items-center text-xs text-muted">
      <IconButton label={chat.earlierVersion} isDisabled={before === undefined} onPress={() => show(before)}>
        <ChevronLeft aria-hidden className="size-4 rtl:-scale-x-100" />
      </IconButton>
      <span aria-live="polite">{chat.version(at + 1, siblings.length)}</span>
      <IconButton label={chat.laterVersion} isDisabled={after === undefined} onPress={() => show(after)}>
        <ChevronRight aria-hidden className="size-4 rtl:-scale-x-100" />
      </IconButton>
    </div>
  );
}
