import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { useReplyDetailMessages } from '../../../messages/reply-detail-messages.ts';
import { formatList, formatMoney, formatNumber, formatTime } from '../../../messages/format.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { detailsQuery } from './details-query.ts';

interface Props {
  readonly conversationId: string;
  readonly replyId: string;
  readonly onClose: () => void;
}

/** How a reply was made, and its tokens. They are read when they are opened. */
export function ReplyDetails({ conversationId, replyId, onClose }: Props) {
  const { chat } = useMessages();
  const details = useReplyDetailMessages();
  const query = useQuery(detailsQuery(conversationId, replyId));
  return (
    <Dialog title={details.title} isOpen onClose={onClose}>
      <Loaded query={query}>
        {({ model, provider, cost, usage, timings, bot, tries, price_from, guardrail, tools }) => (
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
            <Line name={chat.model}>{provider === null ? model : `${model} (${provider})`}</Line>
            {usage !== null && (
              <>
                <Line name={details.inputTokens}>{formatNumber(usage.input_tokens)}</Line>
                <Line name={details.cachedTokens}>{formatNumber(usage.cache_read_tokens)}</Line>
                <Line name={details.outputTokens}>
                  {formatNumber(usage.output_tokens)}
                  {usage.estimated && ` (${details.estimated})`}
                </Line>
              </>
            )}
            {cost !== null && <Line name={details.cost}>{formatMoney(cost)}</Line>}
            {price_from !== null && <Line name={details.priceFrom}>{formatTime(price_from)}</Line>}
            {timings.to_first_token !== null && <Line name={details.firstToken}>{details.millis(timings.to_first_token)}</Line>}
            {timings.total !== null && <Line name={details.totalTime}>{details.millis(timings.total)}</Line>}
            {bot?.version != null && <Line name={details.botVersion}>{formatNumber(bot.version)}</Line>}
            {tries > 1 && <Line name={details.tries}>{formatNumber(tries)}</Line>}
            {tools.length > 0 && <Line name={details.toolCalls}>{formatList(tools.map(({ name }) => name))}</Line>}
            {guardrail !== null && <Line name={details.guardrailVerdict}>{details.verdict[guardrail.verdict]}</Line>}
          </dl>
        )}
      </Loaded>
    </Dialog>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
