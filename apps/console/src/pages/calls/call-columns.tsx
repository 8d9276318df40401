import type { RecordedCall } from '@parlance/client/types';
import type { CallMessages } from '../../messages/call-messages.ts';
import { formatMoney, formatNumber, formatTime } from '../../messages/format.ts';
import type { Column } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { CallStatus } from './calls-search.ts';
import { formatMillis } from './duration.ts';

const TONES = {
  completed: 'ok',
  refused: 'warn',
  failed: 'bad',
  broken: 'bad',
  cancelled: 'neutral',
  unsettled: 'warn',
  blocked: 'warn',
} as const satisfies Readonly<Record<CallStatus, string>>;

export const CallState = ({ status, texts }: { readonly status: CallStatus; readonly texts: CallMessages }) => (
  <Tag tone={TONES[status]}>{texts.statuses[status]}</Tag>
);

interface Shown {
  readonly texts: CallMessages;
  readonly modelOf: (id: string) => string;
  readonly onShow: (call: RecordedCall) => void;
  /** Columns after the model, such as the token. */
  readonly others: readonly Column<RecordedCall>[];
}

/** The columns of a list of calls. */
export const callColumns = ({ texts, modelOf, onShow, others }: Shown): readonly Column<RecordedCall>[] => [
  {
    id: 'time',
    name: texts.time,
    cell: (call) => (
      <button
        type="button"
        onClick={() => onShow(call)}
        aria-label={texts.show(modelOf(call.model), formatTime(call.create_time))}
        className="min-h-8 cursor-pointer text-start whitespace-nowrap text-accent hover:underline max-sm:min-h-11"
      >
        {formatTime(call.create_time)}
      </button>
    ),
  },
  { id: 'model', name: texts.model, cell: ({ model }) => <span className="inline-block min-w-32 break-words">{modelOf(model)}</span> },
  ...others,
  { id: 'status', name: texts.status, cell: ({ status }) => <CallState status={status} texts={texts} /> },
  {
    id: 'tokens',
    name: texts.tokens,
    align: 'end',
    cell: ({ input_tokens: input, output_tokens: output, estimated }) => (
      <span title={estimated ? texts.counted : undefined}>
        {texts.inAndOut(formatNumber(input), formatNumber(output))}
        {estimated && <span className="sr-only"> {texts.counted}</span>}
      </span>
    ),
  },
  { id: 'cost', name: texts.cost, align: 'end', cell: ({ cost }) => formatMoney(cost) },
  {
    id: 'duration',
    name: texts.duration,
    align: 'end',
    cell: ({ duration_ms, first_byte_ms: first }) => (
      <>
        {formatMillis(duration_ms)}
        {first !== null && <span className="block text-xs text-muted">{texts.firstAfter(formatMillis(first))}</span>}
      </>
    ),
  },
];
