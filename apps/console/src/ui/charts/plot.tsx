import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { PointerEvent } from 'react';
import { locale } from '../../messages/index.ts';
import { labelledDays } from './days.ts';
import { valueTicks } from './value-ticks.ts';

const HEIGHT = 200;
const [TOP, BOTTOM, END] = [8, 24, 8];
const LETTER = 7;
const LABEL_WIDTH = 72;
const STROKES = ['stroke-series-1', 'stroke-series-2', 'stroke-series-3', 'stroke-series-4'];
const FILLS = ['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4'];

interface PlotProps {
  readonly label: string;
  readonly width: number;
  readonly days: readonly string[];
  /** For each series, the values of the days. */
  readonly values: readonly (readonly (number | null)[])[];
  readonly format: (n: number) => string;
  readonly kind: 'bars' | 'line';
  readonly shown: number | null;
  readonly onShow: (index: number | null) => void;
}

/** The widest bar of a chart with few days, in plot units. */
const WIDEST_BAR = 32;

/** Time runs from left to right in all languages, as in other charts. */
export function Plot({ label, width, days, values, format, kind, shown, onShow }: PlotProps) {
  const most = Math.max(0, ...values.flat().map((value) => value ?? 0));
  const y = scaleLinear([0, most || 1], [HEIGHT - BOTTOM, TOP]).nice(4);
  const ticks = valueTicks(y, values.flat());
  const start = Math.max(...ticks.map((tick) => format(tick).length)) * LETTER + 10;
  const x = scaleBand<number>(days.keys(), [start, width - END]).paddingInner(0.2);
  const bars = Math.min(x.bandwidth(), WIDEST_BAR * values.length);
  const inner = scaleBand<number>(values.keys(), [(x.bandwidth() - bars) / 2, (x.bandwidth() + bars) / 2]);
  const middle = (index: number) => x(index)! + x.bandwidth() / 2;
  const show = (event: PointerEvent<SVGSVGElement>) => {
    const from = event.clientX - event.currentTarget.getBoundingClientRect().left - start;
    const index = Math.floor(from / x.step());
    onShow(index >= 0 && index < days.length ? index : null);
  };
  const draw = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => middle(index))
    .y((value) => y(value ?? 0));
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={HEIGHT}
      direction="ltr"
      onPointerMove={show}
      onPointerLeave={() => onShow(null)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={start} x2={width - END} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={start - 8} y={y(tick)} dy="0.35em" textAnchor="end" className="fill-muted text-xs tabular-nums">
            {format(tick)}
          </text>
        </g>
      ))}
      {labelledDays(days.length, Math.floor((width - start) / LABEL_WIDTH)).map((index) => (
        <text key={index} x={x(index)} y={HEIGHT - 6} className="fill-muted text-xs">
          {shortDay(days[index]!)}
        </text>
      ))}
      {shown !== null && shown < days.length && (
        <rect x={x(shown)} y={TOP} width={x.bandwidth()} height={HEIGHT - TOP - BOTTOM} className="fill-accent-soft" />
      )}
      {values.map((each, at) =>
        kind === 'line' ? (
          <g key={at}>
            <path d={draw([...each]) ?? ''} fill="none" strokeWidth={2} className={STROKES[at % STROKES.length]} />
            {each.map(
              (value, index) =>
                value !== null &&
                (isAlone(each, index) || index === shown) && (
                  <circle key={index} cx={middle(index)} cy={y(value)} r={3} className={FILLS[at % FILLS.length]} />
                ),
            )}
          </g>
        ) : (
          <g key={at} className={FILLS[at % FILLS.length]}>
            {each.map(
              (value, index) =>
                value !== null &&
                value > 0 && (
                  <rect
                    key={index}
                    x={x(index)! + inner(at)!}
                    y={y(value)}
                    width={Math.max(1, inner.bandwidth())}
                    height={Math.max(1, y(0) - y(value))}
                  />
                ),
            )}
          </g>
        ),
      )}
    </svg>
  );
}

/** A line needs two consecutive days with values. */
const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;

const shortDay = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
