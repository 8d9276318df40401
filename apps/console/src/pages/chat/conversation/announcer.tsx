import { useMessages } from '../../../messages/index.ts';
import { useLivePhase } from '../live/replies.ts';

/** Announces to screen readers when a reply starts and ends. The growing text itself is not announced. */
export function Announcer({ replyId }: { readonly replyId: string | undefined }) {
  const { chat } = useMessages();
  const phase = useLivePhase(replyId ?? '');
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {phase === undefined ? '' : chat.announced[phase]}
    </p>
  );
}
