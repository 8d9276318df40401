import { useRef, useState } from 'react';
import { locale, useMessages } from '../../messages/index.ts';
import { Button } from '../button.tsx';
import { Table } from '../table.tsx';
import { type DaySeries, daysOf, valuesOf } from './days.ts';
import { Plot } from './plot.tsx';
import { useWidth } from './use-width.ts';

interface DayChartProps {
  /** The accessible name and the title of the chart. */
  readonly label: string;
  readonly series: readonly DaySeries[];
  readonly format: (n: number) => string;
  readonly kind: 'bars' | 'line';
}

/** Values over days. A button shows the same values as a table. */
export function DayChart({ label, series, format, kind }: DayChartProps) {
  const { charts } = useMessages();
  const [isTable, setTable] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const figure = useRef<HTMLElement>(null);
  const width = useWidth(figure);
  const days = daysOf(series);
  // A day without a point has no bar; a line has a gap there.
  const values = series.map((each) => valuesOf(each, days, kind === 'bars' ? 0 : null));
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value));
  const shownDay = shown === null ? undefined : days[shown];
  return (
    <figure className="flex flex-col gap-2" ref={figure}>
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <span className="font-medium">{label}</span>
        {shownDay !== undefined && (
          <span aria-hidden className="text-muted tabular-nums">
            {formatDay(shownDay)}
          </span>
        )}
        {(series.length > 1 || shownDay !== undefined) &&
          series.map(({ name }, index) => (
            <span key={name} className="flex items-center gap-1.5 text-muted">
              <span aria-hidden className={`size-2.5 rounded-full ${SWATCHES[index % SWATCHES.length]}`} />
              {name}
              {shown !== null && <span className="text-text tabular-nums">{text(values[index]?.[shown])}</span>}
            </span>
          ))}
        <span className="grow" />
        {days.length > 0 && (
          <Button size="small" look="quiet" onPress={() => setTable(!isTable)}>
            {isTable ? charts.showChart : charts.showTable}
          </Button>
        )}
      </figcaption>
      {days.length === 0 && <p className="py-8 text-center text-sm text-muted">{charts.noDays}</p>}
      {days.length > 0 && isTable && (
        <div className="max-h-80 overflow-y-auto">
          <Table
            label={label}
            rows={days.map((day, index) => ({ day, index }))}
            keyOf={({ day }) => day}
            columns={[
              { id: 'day', name: charts.day, cell: ({ day }) => formatDay(day) },
              ...series.map(({ name }, at) => ({
                id: String(at),
                name,
                align: 'end' as const,
                cell: ({ index }: { index: number }) => text(values[at]?.[index]),
              })),
            ]}
          />
        </div>
      )}
      {days.length > 0 && !isTable && width > 0 && (
        <Plot label={label} width={width} days={days} values={values} format={format} kind={kind} shown={shown} onShow={setShown} />
      )}
    </figure>
  );
}

const SWATCHES = ['bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4'];

/** Days are in UTC. */
const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
