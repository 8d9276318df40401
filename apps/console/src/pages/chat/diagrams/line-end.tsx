import type { LineEnd } from './flowchart.ts';
import type { Point } from './layers.ts';

export const ARROW_LENGTH = 8;

interface Props {
  readonly kind: LineEnd | 'open';
  readonly at: Point;
  /** The direction of the line as a unit vector. */
  readonly towards: Point;
}

/** The arrow, circle or cross at the end of a line. */
export function LineEndMark({ kind, at: { x, y }, towards: { x: right, y: down } }: Props) {
  /** A point at a distance along the line and to its side. */
  const point = (along: number, beside: number): string => `${x + right * along - down * beside} ${y + down * along + right * beside}`;
  switch (kind) {
    case 'arrow':
      return <path d={`M${point(0, 0)}L${point(-ARROW_LENGTH, 4.5)}L${point(-ARROW_LENGTH, -4.5)}Z`} className="fill-muted" />;
    case 'open':
      return (
        <path
          d={`M${point(-ARROW_LENGTH, 4.5)}L${point(0, 0)}L${point(-ARROW_LENGTH, -4.5)}`}
          className="fill-none stroke-muted"
          strokeWidth={1.5}
        />
      );
    case 'circle':
      return <circle cx={x - right * 4} cy={y - down * 4} r={4} className="fill-bg stroke-muted" strokeWidth={1.5} />;
    case 'cross':
      return <path d={`M${point(-10, 5)}L${point(0, -5)}M${point(-10, -5)}L${point(0, 5)}`} className="stroke-muted" strokeWidth={1.5} />;
    case 'none':
      return null;
  }
}
