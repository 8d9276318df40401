import type { SqlAnswer } from '@parlance/client/types';
import { useState } from 'react';
import { formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { useMessages } from '../../../../messages/index.ts';
import { Select } from '../../../../ui/fields/index.ts';
import { type Chartable, type Point, pointsOf } from './chart-data.ts';
import { TimeChart } from './time-chart.tsx';

const MOST_BARS = 20;
const MOST_TIMES = 1_000;

interface ResultChartProps {
  readonly answer: SqlAnswer;
  readonly chart: Chartable;
}

/** Draws one column of numbers: over time as a line, else as bars. The table below has the same values for screen readers. */
export function ResultChart({ answer, chart }: ResultChartProps) {
  const { common } = useMessages();
  const { exports } = useAdminMessages().admin.operations;
  const [chosen, setChosen] = useState(String(chart.values[0]!.index));
  const value = chart.values.find(({ index }) => String(index) === chosen) ?? chart.values[0]!;
  const most = chart.isTime ? MOST_TIMES : MOST_BARS;
  const points = pointsOf(answer.rows, chart, value, most);
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex flex-wrap items-end justify-between gap-3 text-sm text-muted">
        {common.named(exports.chart, exports.chartOf(value.name, chart.label.name))}
        {chart.values.length > 1 && (
          <Select
            label={exports.value}
            isLabelHidden
            value={chosen}
            onChange={setChosen}
            options={chart.values.map(({ index, name }) => ({ id: String(index), name }))}
            className="w-48"
          />
        )}
      </figcaption>
      {chart.isTime ? <TimeChart points={points} /> : <Bars points={points} />}
      {answer.rows.length > most && (
        <p className="text-xs text-muted">{exports.chartMore(formatNumber(most), formatNumber(answer.rows.length))}</p>
      )}
    </figure>
  );
}

function Bars({ points }: { readonly points: readonly Point[] }) {
  const largest = Math.max(...points.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <div aria-hidden className="grid grid-cols-[minmax(4rem,12rem)_1fr_auto] items-center gap-x-3 gap-y-1.5 text-xs">
      {points.map(({ label, value }, index) => (
        <div key={index} className="contents">
          <span className="truncate text-end text-muted">{label}</span>
          <span
            className={`h-4 rounded-[3px] ${value < 0 ? 'bg-series-2' : 'bg-series-1'}`}
            style={{ width: `${(Math.abs(value) / largest) * 100}%` }}
          />
          <span className="text-end tabular-nums">{formatNumber(value)}</span>
        </div>
      ))}
    </div>
  );
}
