import type { Shape } from './flowchart.ts';
import type { FlowchartLayout, PlacedEdge } from './flowchart-layout.ts';
import { Label } from './label.tsx';
import type { Point } from './layers.ts';
import { ARROW_LENGTH, LineEndMark } from './line-end.tsx';
import { heightOf, type Measure, widthOf } from './text-size.ts';

export function FlowchartPicture({ layout, measure }: { readonly layout: FlowchartLayout; readonly measure: Measure }) {
  const edges = layout.edges.filter(({ edge }) => edge.line !== 'invisible');
  return (
    <>
      {layout.groups.map(({ group, x, y, width, height }) => (
        <g key={group.id}>
          <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={8} className="fill-surface stroke-line" />
          <Label
            lines={group.lines}
            at={{ x: x - width / 2 + 12 + widthOf(group.lines, measure) / 2, y: y - height / 2 + 8 + heightOf(group.lines) / 2 }}
            className="fill-muted"
          />
        </g>
      ))}
      {edges.map((placed, index) => (
        <EdgeLine key={index} {...placed} />
      ))}
      {layout.nodes.map(({ node, x, y, width, height }) => (
        <g key={node.id}>
          <Outline shape={node.shape} x={x} y={y} width={width} height={height} />
          <Label lines={node.lines} at={{ x, y: node.shape === 'cylinder' ? y + 5 : y }} />
        </g>
      ))}
      {edges.map(({ edge, label }, index) =>
        edge.lines.length === 0 ? null : (
          <Label key={index} lines={edge.lines} at={label} width={widthOf(edge.lines, measure)} className="fill-muted" />
        ),
      )}
    </>
  );
}

const WIDTHS = { solid: 1.5, dotted: 1.5, thick: 3, invisible: 0 } as const;

function EdgeLine({ edge, points, isAcross }: PlacedEdge) {
  const [first, second, last, beforeLast] = [points[0]!, points[1]!, points.at(-1)!, points.at(-2)!];
  const [out, into] = [along(second, first, isAcross), along(beforeLast, last, isAcross)];
  const ends = [...points];
  // The line ends before the tip of its arrow.
  if (edge.start === 'arrow') ends[0] = { x: first.x - out.x * ARROW_LENGTH, y: first.y - out.y * ARROW_LENGTH };
  if (edge.end === 'arrow') ends[ends.length - 1] = { x: last.x - into.x * ARROW_LENGTH, y: last.y - into.y * ARROW_LENGTH };
  return (
    <>
      <path
        d={curve(ends, isAcross)}
        className="fill-none stroke-muted"
        strokeWidth={WIDTHS[edge.line]}
        strokeDasharray={edge.line === 'dotted' ? '2 4' : undefined}
      />
      <LineEndMark kind={edge.start} at={first} towards={out} />
      <LineEndMark kind={edge.end} at={last} towards={into} />
    </>
  );
}

/** The direction in which a line arrives: along the layers. */
const along = (from: Point, to: Point, isAcross: boolean): Point =>
  isAcross ? { x: Math.sign(to.x - from.x) || 1, y: 0 } : { x: 0, y: Math.sign(to.y - from.y) || 1 };

function curve(points: readonly Point[], isAcross: boolean): string {
  const [first, ...rest] = points;
  let [path, before] = [`M${first!.x} ${first!.y}`, first!];
  for (const point of rest) {
    const [x, y] = [(before.x + point.x) / 2, (before.y + point.y) / 2];
    path += isAcross
      ? `C${x} ${before.y} ${x} ${point.y} ${point.x} ${point.y}`
      : `C${before.x} ${y} ${point.x} ${y} ${point.x} ${point.y}`;
    before = point;
  }
  return path;
}

interface OutlineProps {
  readonly shape: Shape;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LOOK = { className: 'fill-raised stroke-control', strokeWidth: 1.25 } as const;
const LID = 6;

function Outline({ shape, x, y, width, height }: OutlineProps) {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  const polygon = (...corners: readonly (readonly [number, number])[]) => <path d={`M${corners.join('L')}Z`} {...LOOK} />;
  switch (shape) {
    case 'diamond':
      return polygon([x, top], [right, y], [x, bottom], [left, y]);
    case 'hexagon':
      return polygon([left + 14, top], [right - 14, top], [right, y], [right - 14, bottom], [left + 14, bottom], [left, y]);
    case 'slanted':
      return polygon([left + 14, top], [right, top], [right - 14, bottom], [left, bottom]);
    case 'circle':
      return <circle cx={x} cy={y} r={width / 2} {...LOOK} />;
    case 'cylinder':
      return (
        <>
          <path
            d={`M${left} ${top + LID}A${width / 2} ${LID} 0 0 1 ${right} ${top + LID}V${bottom - LID}A${width / 2} ${LID} 0 0 1 ${left} ${bottom - LID}Z`}
            {...LOOK}
          />
          <path
            d={`M${left} ${top + LID}A${width / 2} ${LID} 0 0 0 ${right} ${top + LID}`}
            {...LOOK}
            className="fill-none stroke-control"
          />
        </>
      );
    case 'subroutine':
      return (
        <>
          <rect x={left} y={top} width={width} height={height} {...LOOK} />
          <path d={`M${left + 7} ${top}V${bottom}M${right - 7} ${top}V${bottom}`} {...LOOK} />
        </>
      );
    default:
      return (
        <rect x={left} y={top} width={width} height={height} rx={shape === 'rect' ? 4 : shape === 'round' ? 10 : height / 2} {...LOOK} />
      );
  }
}
