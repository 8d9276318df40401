import type { Direction, Flowchart, FlowEdge, FlowGroup, FlowNode } from './flowchart.ts';
import { type Box, layersOf, type Point } from './layers.ts';
import { heightOf, type Measure, widthOf } from './text-size.ts';

interface Placed {
  /** The centre of the box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: FlowEdge;
  /** The points of the line, from border to border. */
  readonly points: readonly Point[];
  readonly isAcross: boolean;
  readonly label: Point;
}

export interface FlowchartLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (Placed & { readonly node: FlowNode })[];
  readonly groups: readonly (Placed & { readonly group: FlowGroup })[];
  readonly edges: readonly PlacedEdge[];
}

const BETWEEN = 44;
const MARGIN = 8;
const GROUP_PADDING = 18;
/** The distance between lines that connect the same two boxes. */
const BESIDE_LINES = 36;

/** The content of a group or of the whole diagram: boxes and lines, relative to its upper left corner. */
interface Area {
  readonly width: number;
  readonly height: number;
  readonly isAcross: boolean;
  readonly places: ReadonlyMap<string, Point>;
  readonly bends: ReadonlyMap<FlowEdge, readonly Point[]>;
  readonly top: number;
  readonly left: number;
}

/** The layout of a flowchart. Null if it is too large. */
export function flowchartLayout(chart: Flowchart, measure: Measure): FlowchartLayout | null {
  const layout = new Layout(chart, measure);
  return layout.areaOf(null, chart.direction) === null ? null : layout.whole();
}

class Layout {
  private readonly areas = new Map<string | null, Area>();
  private readonly sizes: ReadonlyMap<string, Box>;
  private readonly parents: ReadonlyMap<string, string | null>;

  constructor(
    private readonly chart: Flowchart,
    private readonly measure: Measure,
  ) {
    this.sizes = new Map(chart.nodes.map((node) => [node.id, sizeOf(node, measure)]));
    this.parents = new Map([...chart.nodes, ...chart.groups].map(({ id, group }) => [id, group]));
  }

  /** Lays out a group, inner groups first, because they are boxes in it. */
  areaOf(id: string | null, direction: Direction): Area | null {
    const inside: Box[] = [];
    for (const group of this.chart.groups.filter((each) => each.group === id)) {
      const area = this.areaOf(group.id, group.direction ?? direction);
      if (area === null) return null;
      inside.push({ id: group.id, width: area.width, height: area.height });
    }
    for (const node of this.chart.nodes) if (node.group === id) inside.push(this.sizes.get(node.id)!);
    const first = (box: Box) => this.chart.nodes.findIndex((node) => this.childOf(id, node.id) === box.id);
    // Sorted in the order of the source, so that a cycle is broken before its first box.
    inside.sort((one, other) => first(one) - first(other));
    const edges = this.chart.edges.flatMap((edge) => {
      const [from, to] = [this.childOf(id, edge.from), this.childOf(id, edge.to)];
      return from !== null && to !== null && (from !== to || edge.from === edge.to) ? [{ edge, from, to }] : [];
    });
    const isAcross = direction === 'LR' || direction === 'RL';
    const isTurned = direction === 'BT' || direction === 'RL';
    const boxes = isAcross ? inside.map((box) => ({ id: box.id, width: box.height, height: box.width })) : inside;
    const layers = layersOf(boxes, edges, this.between(edges, isAcross));
    if (layers === null) return null;
    const length = layers.height;
    const title = id === null ? [] : this.chart.groups.find((group) => group.id === id)!.lines;
    const [left, top] = id === null ? [0, 0] : [GROUP_PADDING, GROUP_PADDING + heightOf(title)];
    const at = ({ x, y }: Point): Point => {
      const along = isTurned ? length - y : y;
      return isAcross ? { x: left + along, y: top + x } : { x: left + x, y: top + along };
    };
    const [width, height] = isAcross ? [length, layers.width] : [layers.width, length];
    const inner = Math.max(width, widthOf(title, this.measure));
    const area: Area = {
      width: inner + 2 * left,
      height: height + top + left,
      isAcross,
      places: new Map([...layers.places].map(([box, point]) => [box, at(point)])),
      bends: new Map(edges.map(({ edge }, index) => [edge, layers.bends[index]!.map(at)])),
      left: 0,
      top: 0,
    };
    this.areas.set(id, area);
    return area;
  }

  whole(): FlowchartLayout {
    this.move(null, MARGIN, MARGIN);
    const { width, height } = this.areas.get(null)!;
    const placed = new Map<string, Placed>();
    for (const area of this.areas.values())
      for (const [id, { x, y }] of area.places) {
        const size = this.areas.get(id) ?? this.sizes.get(id);
        if (size) placed.set(id, { x: x + area.left, y: y + area.top, width: size.width, height: size.height });
      }
    return {
      width: width + 2 * MARGIN,
      height: height + 2 * MARGIN,
      nodes: this.chart.nodes.map((node) => ({ node, ...placed.get(node.id)! })),
      groups: this.chart.groups.map((group) => ({ group, ...placed.get(group.id)! })),
      edges: this.edges(placed),
    };
  }

  /** The child of a group that is or contains the box. Null if the box is elsewhere. */
  private childOf(group: string | null, id: string): string | null {
    for (let each: string | null = id; each !== null;) {
      const parent: string | null = this.parents.get(each) ?? null;
      if (parent === group) return each;
      each = parent;
    }
    return null;
  }

  private between(edges: readonly { readonly edge: FlowEdge }[], isAcross: boolean): number {
    const needed = edges.map(({ edge: { lines } }) =>
      lines.length === 0 ? 0 : (isAcross ? widthOf(lines, this.measure) : heightOf(lines)) + 36,
    );
    return Math.max(BETWEEN, ...needed);
  }

  /** Converts positions in a group to positions in the whole diagram. */
  private move(id: string | null, left: number, top: number): void {
    const area = this.areas.get(id)!;
    this.areas.set(id, { ...area, left, top });
    for (const [child, { x, y }] of area.places) {
      const inner = this.areas.get(child);
      if (inner) this.move(child, left + x - inner.width / 2, top + y - inner.height / 2);
    }
  }

  private edges(placed: ReadonlyMap<string, Placed>): PlacedEdge[] {
    const seen = new Map<string, number>();
    return this.chart.edges.flatMap((edge) => {
      const area = [...this.areas.values()].find(({ bends }) => bends.has(edge));
      const [from, to] = [placed.get(edge.from), placed.get(edge.to)];
      // A line between a group and a box in it.
      if (!area || !from || !to) return [];
      const pair = [edge.from, edge.to].toSorted().join(' ');
      const index = seen.get(pair) ?? 0;
      seen.set(pair, index + 1);
      const bends = area.bends.get(edge)!.map(({ x, y }) => ({ x: x + area.left, y: y + area.top }));
      const points = edge.from === edge.to ? loopOf(from) : route(from, to, bends, area.isAcross, index);
      return [{ edge, points, isAcross: edge.from === edge.to || area.isAcross, label: middleOf(points) }];
    });
  }
}

/** A line from the border of one box to the border of another. Further lines between the same boxes run beside the first. */
function route(from: Placed, to: Placed, bends: readonly Point[], isAcross: boolean, index: number): readonly Point[] {
  const aside = Math.ceil(index / 2) * BESIDE_LINES * (index % 2 === 0 ? -1 : 1);
  const [start, end] = isAcross
    ? [border(from, Math.sign(to.x - from.x) || 1, 0), border(to, Math.sign(from.x - to.x) || 1, 0)]
    : [border(from, 0, Math.sign(to.y - from.y) || 1), border(to, 0, Math.sign(from.y - to.y) || 1)];
  if (aside === 0) return [start, ...bends, end];
  const shift = ({ x, y }: Point): Point => (isAcross ? { x, y: y + aside } : { x: x + aside, y });
  return [start, ...(bends.length > 0 ? bends : [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }]).map(shift), end];
}

const border = ({ x, y, width, height }: Placed, right: number, down: number): Point => ({
  x: x + (right * width) / 2,
  y: y + (down * height) / 2,
});

function loopOf({ x, y, width, height }: Placed): readonly Point[] {
  const [right, up] = [x + width / 2, height / 4];
  return [
    { x: right, y: y - up },
    { x: right + 24, y },
    { x: right, y: y + up },
  ];
}

function middleOf(points: readonly Point[]): Point {
  if (points.length % 2 === 1) return points[(points.length - 1) / 2]!;
  const [one, other] = [points[points.length / 2 - 1]!, points[points.length / 2]!];
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

const LEAST_WIDTH = 44;

/** Boxes are large enough for the text inside their shape. */
function sizeOf({ id, lines, shape }: FlowNode, measure: Measure): Box {
  const [width, height] = [widthOf(lines, measure), heightOf(lines)];
  switch (shape) {
    case 'diamond':
      return { id, width: Math.max(64, width * 1.5 + 28), height: Math.max(48, height * 1.5 + 28) };
    case 'circle': {
      const side = Math.max(40, Math.hypot(width, height) + 14);
      return { id, width: side, height: side };
    }
    case 'hexagon':
    case 'slanted':
      return { id, width: Math.max(LEAST_WIDTH, width + 52), height: height + 20 };
    case 'cylinder':
      return { id, width: Math.max(LEAST_WIDTH, width + 28), height: height + 34 };
    default:
      return {
        id,
        width: Math.max(LEAST_WIDTH, width + (shape === 'rect' || shape === 'round' ? 28 : 40)),
        height: Math.max(34, height + 18),
      };
  }
}
