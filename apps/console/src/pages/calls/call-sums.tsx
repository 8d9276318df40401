import type { CallSummary } from '@parlance/client/types';
import { useState } from 'react';
import { useCallMessages } from '../../messages/call-messages.ts';
import { formatMoney, formatNumber, formatTime } from '../../messages/format.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { Select } from '../../ui/fields/index.ts';
import { Figures } from '../../ui/figures.tsx';
import { secondsOfHour } from './calls-search.ts';

const SHOWN = ['cost', 'calls', 'tokens'] as const;
type Shown = (typeof SHOWN)[number];
type Day = CallSummary['daily'][number];

/** The sums of calls, in all and by day. */
export function CallSums({ summary }: { readonly summary: CallSummary }) {
  const texts = useCallMessages();
  const [chosen, setChosen] = useState<Shown | null>(null);
  // Where models cost nothing, costs would be an empty chart.
  const shown = chosen ?? (summary.cost > 0 ? 'cost' : 'calls');
  const seriesOf = (name: string, valueOf: (day: Day) => number) => ({
    name,
    points: summary.daily.map((day) => ({ date: day.date, value: valueOf(day) })),
  });
  const series = {
    cost: () => [seriesOf(texts.series.cost, ({ cost }) => cost)],
    calls: () => [seriesOf(texts.series.calls, ({ calls }) => calls)],
    tokens: () => [
      seriesOf(texts.inputTokens, ({ input_tokens }) => input_tokens),
      seriesOf(texts.outputTokens, ({ output_tokens }) => output_tokens),
    ],
  }[shown]();
  return (
    <>
      <Figures
        figures={[
          { name: texts.number, value: formatNumber(summary.calls) },
          { name: texts.cost, value: formatMoney(summary.cost) },
          { name: texts.inputTokens, value: formatNumber(summary.input_tokens) },
          { name: texts.outputTokens, value: formatNumber(summary.output_tokens) },
        ]}
      />
      {summary.included_from !== null && (
        <p className="text-sm text-muted">{texts.onlySince(formatTime(secondsOfHour(summary.included_from)))}</p>
      )}
      {summary.calls > 0 && (
        <div className="flex flex-col gap-3 rounded-md border border-line bg-raised p-5 max-sm:p-4">
          <Select<Shown>
            label={texts.byDay}
            className="w-44 max-sm:w-full"
            value={shown}
            onChange={setChosen}
            options={SHOWN.map((id) => ({ id, name: texts.series[id] }))}
          />
          <DayChart label={texts.series[shown]} kind="bars" series={series} format={shown === 'cost' ? formatMoney : formatNumber} />
        </div>
      )}
    </>
  );
}
