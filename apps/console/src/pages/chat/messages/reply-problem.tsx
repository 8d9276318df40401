import { CircleAlert } from 'lucide-react';
import { sentenceFor } from '../../../api/error-text.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';

/** Why a reply is missing or incomplete. */
export function ReplyProblem({
  error,
  onAgain,
}: {
  readonly error: { readonly code: string; readonly message: string };
  /** Undefined while that is not possible yet. */
  readonly onAgain: (() => void) | undefined;
}) {
  const { common } = useMessages();
  return (
    <div className="mt-2 flex flex-wrap items-start gap-3 rounded-md border border-bad p-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <p className="min-w-0 grow basis-60">{sentenceFor(error.code, error.message)}</p>
      <Button size="small" isDisabled={!onAgain} onPress={onAgain}>
        {common.retry}
      </Button>
    </div>
  );
}
