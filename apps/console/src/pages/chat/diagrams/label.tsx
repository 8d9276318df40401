import type { Point } from './layers.ts';
import { FONT_SIZE, heightOf, LINE_HEIGHT } from './text-size.ts';

interface Props {
  readonly lines: readonly string[];
  /** The middle of the text. */
  readonly at: Point;
  /** The width of the background that hides a line below the text. */
  readonly width?: number;
  readonly className?: string;
}

/** Lines of text centred on a point. */
export function Label({ lines, at: { x, y }, width, className = 'fill-text' }: Props) {
  const top = y - heightOf(lines) / 2;
  return (
    <>
      {width !== undefined && <rect x={x - width / 2 - 4} y={top} width={width + 8} height={heightOf(lines)} rx={4} className="fill-bg" />}
      <text textAnchor="middle" fontSize={FONT_SIZE} className={className}>
        {lines.map((line, index) => (
          <tspan key={index} x={x} y={top + index * LINE_HEIGHT + LINE_HEIGHT * 0.72}>
            {line}
          </tspan>
        ))}
      </text>
    </>
  );
}
