import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useRef } from 'react';
import { formatNumber } from '../../../../messages/format.ts';
import { locale } from '../../../../messages/index.ts';
import { useWidth } from '../../../../ui/charts/use-width.ts';
import type { Point } from './chart-data.ts';

const HEIGHT = 200;
const MARGIN = { top: 8, end: 12, bottom: 24, start: 64 };
const TICK_WIDTH = 110;
const DAY_MILLIS = 86_400_000;
/** Values get dots only up to this number, because more would overlap. */
const MOST_DOTS = 60;

/** Numbers over time, as wide as the page. */
export function TimeChart({ points }: { readonly points: readonly Point[] }) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const times = points.map(({ time }) => time);
  const values = points.map(({ value }) => value);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = scaleUtc([first, last === first ? first + 1 : last], [MARGIN.start, Math.max(MARGIN.start + 1, width - MARGIN.end)]);
  const y = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const format = new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(last - first < 2 * DAY_MILLIS && { hour: 'numeric' }),
  });
  const path = line<Point>(
    ({ time }) => x(time),
    ({ value }) => y(value),
  );
  const shape = area<Point>(
    ({ time }) => x(time),
    y(0),
    ({ value }) => y(value),
  );
  return (
    <div ref={host} dir="ltr">
      {width > 0 && points.length > 0 && (
        <svg aria-hidden width={width} height={HEIGHT} className="block">
          {y.ticks(4).map((tick) => (
            <g key={tick}>
              <line x1={MARGIN.start} x2={width - MARGIN.end} y1={y(tick)} y2={y(tick)} className="stroke-line" />
              <text x={MARGIN.start - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted text-xs">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {x.ticks(Math.max(2, Math.floor(width / TICK_WIDTH))).map((tick) => (
            <text key={tick.getTime()} x={x(tick)} y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-xs">
              {format.format(tick)}
            </text>
          ))}
          <path d={shape(points) ?? ''} className="fill-series-1 opacity-10" />
          <path d={path(points) ?? ''} className="fill-none stroke-series-1 stroke-2" />
          {points.length <= MOST_DOTS &&
            points.map(({ time, value, label }, index) => (
              <circle key={index} cx={x(time)} cy={y(value)} r={3} className="fill-series-1">
                <title>{`${label}: ${formatNumber(value)}`}</title>
              </circle>
            ))}
        </svg>
      )}
    </div>
  );
}
