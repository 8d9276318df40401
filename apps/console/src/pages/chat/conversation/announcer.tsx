import { useMessages } from '../../../messages/index.ts';
import { useLivePhase } from '../live/replies.ts';

/** Tells screen readers that a reply begins and ends. The text itself is not read out while it grows. */
export function Announcer({ replyId }: { readonly replyId: string | undefined }) {
  const { chat } = useMessages();
  const phase = useLivePhase(replyId ?? '');
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {phase === undefined ? '' : chat.announced[phase]}
    </p>
  );
}
