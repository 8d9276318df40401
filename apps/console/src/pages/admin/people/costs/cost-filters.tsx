import { type FormEvent, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox, Select, TextField } from '../../../../ui/fields/index.ts';
import { lastMonths } from '../../../../calendar/months.ts';
import { formatMonth } from '../../../../messages/format.ts';
import { type CostsSearch, TOP_SIZES } from '../search.ts';
import { COST_MONTHS, type Span } from './cost-period.ts';

const RANGE = 'range';

interface Props {
  readonly search: CostsSearch;
  readonly span: Span;
  readonly onChange: (change: CostsSearch) => void;
}

export function CostFilters({ search, span, onChange }: Props) {
  const { costs: texts } = useAdminMessages().admin.people;
  const [isRange, setRange] = useState(span.month === undefined);
  const months = lastMonths(new Date(), COST_MONTHS);
  const listed = span.month === undefined || months.includes(span.month) ? months : [...months, span.month];
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={texts.period}
        className="w-48 max-sm:w-full"
        value={isRange ? RANGE : (span.month ?? RANGE)}
        onChange={(id) => {
          setRange(id === RANGE);
          if (id !== RANGE) onChange({ month: id, from: undefined, to: undefined });
        }}
        options={[...listed.map((month) => ({ id: month, name: formatMonth(month) })), { id: RANGE, name: texts.range }]}
      />
      {isRange && <RangeFields key={`${span.from} ${span.to}`} span={span} onChange={onChange} />}
      <Select
        label={texts.basis}
        className="w-44 max-sm:w-full"
        value={search.corrected === true ? 'corrected' : 'billed'}
        onChange={(id) => onChange({ corrected: id === 'corrected' || undefined })}
        options={[
          { id: 'billed', name: texts.billed },
          { id: 'corrected', name: texts.corrected },
        ]}
      />
      <Select
        label={texts.top}
        className="w-40 max-sm:w-full"
        value={search.top ?? TOP_SIZES[0]}
        onChange={(top: (typeof TOP_SIZES)[number]) => onChange({ top })}
        options={TOP_SIZES.map((id) => ({ id, name: texts.topN(id) }))}
      />
      <div className="flex min-h-9 items-center max-sm:min-h-11">
        <Checkbox isSelected={search.compare !== false} onChange={(compare) => onChange({ compare: compare ? undefined : false })}>
          {texts.compare}
        </Checkbox>
      </div>
    </div>
  );
}

function RangeFields({ span, onChange }: Pick<Props, 'span' | 'onChange'>) {
  const { costs: texts } = useAdminMessages().admin.people;
  const [from, setFrom] = useState(span.from);
  const [to, setTo] = useState(span.to);
  const isReversed = from !== '' && to !== '' && to < from;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (from !== '' && to !== '' && !isReversed) onChange({ from, to, month: undefined });
  };
  return (
    <form onSubmit={send} className="flex flex-wrap items-end gap-3">
      <TextField label={texts.from} type="date" isRequired value={from} onChange={setFrom} />
      <TextField label={texts.to} type="date" isRequired value={to} onChange={setTo} error={isReversed ? texts.reversed : undefined} />
      <Button type="submit" isDisabled={isReversed}>
        {texts.apply}
      </Button>
    </form>
  );
}
