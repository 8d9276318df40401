import type { RecordedCall } from '@parlance/client/types';
import { useCallMessages } from '../../messages/call-messages.ts';
import { formatList, formatMoney, formatNumber, formatTime } from '../../messages/format.ts';
import { SidePanel } from '../../ui/dialogs/side-panel.tsx';
import { Facts } from '../../ui/facts.tsx';
import { CallState } from './call-columns.tsx';
import { formatMillis } from './duration.ts';

interface Props {
  readonly call: RecordedCall;
  readonly modelName: string;
  /** The names of the token and, for administrators, of the user. */
  readonly tokenName: string;
  readonly userName?: string;
  readonly onClose: () => void;
}

/** All fields of a call. */
export function CallPanel({ call, modelName, tokenName, userName, onClose }: Props) {
  const texts = useCallMessages();
  const tags = Object.entries(call.tags).map(([name, value]) => (value === '' ? name : `${name}: ${value}`));
  const tokens = (count: number) => (count === 0 ? null : formatNumber(count));
  return (
    <SidePanel title={texts.detail} isOpen onClose={onClose}>
      <div className="flex flex-col items-start gap-1">
        <CallState status={call.status} texts={texts} />
        <p className="text-sm text-muted">{texts.statusTexts[call.status]}</p>
      </div>
      <Facts
        facts={[
          [texts.time, formatTime(call.create_time)],
          [texts.user, userName],
          [texts.token, tokenName],
          [texts.model, modelName],
          [texts.route, call.tries > 1 ? `${call.route}, ${texts.tries(call.tries)}` : call.route],
          [texts.endpoint, <code key="endpoint">/v1/{call.endpoint}</code>],
          [texts.httpStatus, call.http_status],
          [texts.inputTokens, formatNumber(call.input_tokens)],
          [texts.cacheRead, tokens(call.cache_read_tokens)],
          [texts.cacheWrite, tokens(call.cache_write_tokens)],
          [texts.outputTokens, formatNumber(call.output_tokens)],
          [texts.usage, call.cached ? texts.fromCache : call.estimated ? texts.counted : null],
          [texts.webSearches, tokens(call.web_searches)],
          [texts.cost, formatMoney(call.cost)],
          [texts.unpriced, formatList(call.unpriced)],
          [texts.policies, formatList(call.policies.map(({ id }) => id))],
          [texts.firstByte, call.first_byte_ms === null ? texts.unknown : formatMillis(call.first_byte_ms)],
          [texts.duration, formatMillis(call.duration_ms)],
          [texts.costCentre, call.cost_centre],
          [texts.tags, formatList(tags)],
          [
            texts.id,
            <code key="id" className="break-all">
              {call.call_id}
            </code>,
          ],
          [
            texts.tokenId,
            <code key="token" className="break-all">
              {call.token_id}
            </code>,
          ],
        ]}
      />
    </SidePanel>
  );
}
