import type { Message } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { type FocusEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { formatMoney, formatNumber } from '../../../messages/format.ts';
import { useComparisonMessages } from '../../../messages/comparison-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { useReplyDetailMessages } from '../../../messages/reply-detail-messages.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { stopReply } from '../live/stop-reply.ts';
import { useLivePhase } from '../live/replies.ts';
import { detailsQuery } from '../messages/details-query.ts';
import { isFocusLost } from '../conversation/focus.ts';
import { Reply } from '../messages/reply.tsx';
import type { Comparison } from './comparisons.ts';
import { comparisons } from './open-comparisons.ts';

interface Props {
  readonly conversationId: string;
  readonly compared: Comparison['models'][number];
  /** Undefined until the reply is accepted. */
  readonly message: Message | undefined;
  readonly modelName: string;
  readonly onChoose: (replyId: string, model: string) => void;
}

const nothing = () => undefined;

/** The reply of one of the compared models, with its figures once it has ended. */
export function ComparedReply({ conversationId, compared, message, modelName, onChoose }: Props) {
  const { chat, common } = useMessages();
  const texts = useComparisonMessages();
  const { model, replyId, error } = compared;
  const phase = useLivePhase(replyId ?? '');
  const turn = useMemo(() => message && { message, siblings: [] }, [message]);
  const hasEnded = phase === 'done' || message?.status === 'completed';
  const hasFailed = phase === 'failed' || message?.status === 'failed';
  const isRunning = replyId !== null && !hasEnded && !hasFailed;
  const column = useRef<HTMLLIElement>(null);
  const keepFocus = useKeepFocus(column);
  const again = () => {
    keepFocus.begin();
    void comparisons.again(conversationId, model);
  };
  const stop = (id: string) => {
    keepFocus.begin();
    void stopReply(conversationId, id);
  };
  return (
    <li
      ref={column}
      tabIndex={-1}
      aria-label={modelName}
      onBlur={keepFocus.onBlur}
      className="flex min-w-0 flex-col rounded-md border border-line px-4 pt-3"
    >
      {turn ? (
        <Reply
          conversationId={conversationId}
          turn={turn}
          modelName={modelName}
          isLast={false}
          onShow={nothing}
          onAgain={again}
          onContinue={nothing}
        />
      ) : (
        <>
          <h2 className="mb-1 text-xs font-medium text-muted">{modelName}</h2>
          {error === null ? <p className="py-1 text-sm text-muted">{texts.requesting}</p> : <ErrorNote error={error} />}
        </>
      )}
      <p role="status" className="sr-only">
        {phase !== undefined && phase !== 'writing' && texts.announced(modelName, chat.announced[phase])}
      </p>
      <div className="sticky bottom-0 mt-auto flex min-h-20 flex-col gap-1.5 bg-bg pt-2 pb-3">
        <p className="min-h-5 text-xs text-muted">
          {hasEnded && replyId !== null && <Figures conversationId={conversationId} replyId={replyId} />}
        </p>
        <div className="flex flex-wrap gap-2 print:hidden">
          {replyId !== null && (
            <Button size="small" aria-label={texts.continueWith(modelName)} onPress={() => onChoose(replyId, model)}>
              {texts.continueWithThis}
            </Button>
          )}
          {isRunning && (
            <Button size="small" aria-label={texts.stopOf(modelName)} onPress={() => stop(replyId)}>
              <Square aria-hidden className="size-3 fill-current" />
              {texts.stop}
            </Button>
          )}
          {error !== null && (
            <Button size="small" onPress={again}>
              {common.retry}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

/** Moves the focus to the element when the pressed button in it disappears, unless the user has moved it elsewhere meanwhile. */
function useKeepFocus(element: RefObject<HTMLElement | null>) {
  const isKept = useRef(false);
  useEffect(() => {
    if (isKept.current && isFocusLost()) element.current?.focus({ preventScroll: true });
  });
  return {
    begin: () => void (isKept.current = true),
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) isKept.current = false;
    },
  };
}

/** The time, tokens and cost of a reply, as the server measured them. */
function Figures({ conversationId, replyId }: { readonly conversationId: string; readonly replyId: string }) {
  const texts = useComparisonMessages();
  const { millis } = useReplyDetailMessages();
  const { data } = useQuery(detailsQuery(conversationId, replyId));
  if (!data) return null;
  const { timings, usage, cost } = data;
  return [
    ...(timings.total === null ? [] : [millis(timings.total)]),
    ...(usage === null ? [] : [texts.tokens(formatNumber(usage.input_tokens), formatNumber(usage.output_tokens))]),
    ...(cost === null ? [] : [formatMoney(cost)]),
  ].join(' · ');
}
