export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layers {
  readonly width: number;
  readonly height: number;
  /** Centres of the boxes. */
  readonly places: ReadonlyMap<string, Point>;
  /** The points of each line between its ends. */
  readonly bends: readonly (readonly Point[])[];
}

interface Cell {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly rank: number;
  x: number;
}

const BESIDE = 28;
const SWEEPS = 8;
/** Layouts with more cells take too long. */
const MOST_CELLS = 1_500;

/**
 * Places boxes in layers from top to bottom, so that most lines lead down (Sugiyama): cycles are broken by reversing lines, long lines get
 * a cell in each layer, layers are ordered for few crossings, and connected boxes are placed near each other. Null if there are too many.
 */
export function layersOf(boxes: readonly Box[], lines: readonly Line[], between: number): Layers | null {
  if (boxes.length === 0) return { width: 0, height: 0, places: new Map(), bends: [] };
  const down = lines.map(({ from, to }) => ({ from, to }));
  const back = backLines(boxes, down);
  const forward = down.map((line, index) => (back.has(index) ? { from: line.to, to: line.from } : line));
  const ranks = ranksOf(boxes, forward);
  const { cells, pieces, chains } = split(boxes, forward, ranks);
  if (cells.length > MOST_CELLS) return null;
  const layers = ordered(cells, pieces);
  placeAcross(layers, pieces);
  return result(layers, chains, back, between);
}

/** The indexes of lines that close a cycle. */
function backLines(boxes: readonly Box[], lines: readonly Line[]): ReadonlySet<number> {
  const out = Map.groupBy(lines.entries(), ([, { from }]) => from);
  const state = new Map<string, 'open' | 'done'>();
  const back = new Set<number>();
  const visit = (id: string) => {
    state.set(id, 'open');
    for (const [index, { to }] of out.get(id) ?? []) {
      if (state.get(to) === 'open') back.add(index);
      else if (!state.has(to)) visit(to);
    }
    state.set(id, 'done');
  };
  for (const { id } of boxes) if (!state.has(id)) visit(id);
  return back;
}

function ranksOf(boxes: readonly Box[], lines: readonly Line[]): ReadonlyMap<string, number> {
  const into = Map.groupBy(
    lines.filter(({ from, to }) => from !== to),
    ({ to }) => to,
  );
  const out = Map.groupBy(
    lines.filter(({ from, to }) => from !== to),
    ({ from }) => from,
  );
  const ranks = new Map<string, number>();
  const rankOf = (id: string): number => {
    const known = ranks.get(id);
    if (known !== undefined) return known;
    const rank = Math.max(-1, ...(into.get(id) ?? []).map(({ from }) => rankOf(from))) + 1;
    ranks.set(id, rank);
    return rank;
  };
  for (const { id } of boxes) rankOf(id);
  // A box without a line from above is placed in the layer right above its first successor.
  for (const { id } of boxes) {
    const below = out.get(id) ?? [];
    if (!into.has(id) && below.length > 0) ranks.set(id, Math.min(...below.map(({ to }) => ranks.get(to)!)) - 1);
  }
  return ranks;
}

interface Split {
  readonly cells: readonly Cell[];
  /** Lines between cells of adjacent layers. */
  readonly pieces: readonly (readonly [Cell, Cell])[];
  /** For each line the cells between its ends. */
  readonly chains: readonly (readonly Cell[])[];
}

function split(boxes: readonly Box[], lines: readonly Line[], ranks: ReadonlyMap<string, number>): Split {
  const byId = new Map(boxes.map((box): [string, Cell] => [box.id, { ...box, rank: ranks.get(box.id)!, x: 0 }]));
  const cells = [...byId.values()];
  const pieces: (readonly [Cell, Cell])[] = [];
  const chains = lines.map(({ from, to }, index) => {
    const [first, last] = [byId.get(from)!, byId.get(to)!];
    const chain: Cell[] = [];
    for (let rank = first.rank + 1; rank < last.rank && cells.length <= MOST_CELLS; rank++) {
      // The key contains a line break, which no box ID does.
      const cell = { id: `\n${index} ${rank}`, width: 0, height: 0, rank, x: 0 };
      chain.push(cell);
      cells.push(cell);
    }
    const path = [first, ...chain, last];
    if (first !== last) for (const [at, cell] of path.slice(1).entries()) pieces.push([path[at]!, cell]);
    return chain;
  });
  return { cells, pieces, chains };
}

type Neighbours = ReadonlyMap<Cell, readonly Cell[]>;

function neighboursOf(pieces: readonly (readonly [Cell, Cell])[]): { readonly above: Neighbours; readonly below: Neighbours } {
  const above = new Map([...Map.groupBy(pieces, ([, to]) => to)].map(([cell, its]): [Cell, Cell[]] => [cell, its.map(([from]) => from)]));
  const below = new Map([...Map.groupBy(pieces, ([from]) => from)].map(([cell, its]): [Cell, Cell[]] => [cell, its.map(([, to]) => to)]));
  return { above, below };
}

/** Orders the layers for few crossings. */
function ordered(cells: readonly Cell[], pieces: readonly (readonly [Cell, Cell])[]): Cell[][] {
  const layers: Cell[][] = [];
  for (const cell of cells) (layers[cell.rank] ??= []).push(cell);
  const filled = layers.filter((layer) => layer !== undefined);
  const { above, below } = neighboursOf(pieces);
  let best = filled.map((layer) => [...layer]);
  let fewest = crossingsOf(best, below);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? filled : filled.toReversed();
    for (const [index, layer] of order.entries()) {
      const before = order[index - 1];
      if (before) sortBy(layer, before, isDown ? above : below);
    }
    const crossings = crossingsOf(filled, below);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = filled.map((layer) => [...layer]);
  }
  return best;
}

/** Sorts by the mean position of the neighbours. Cells without neighbours keep their position. */
function sortBy(layer: Cell[], before: readonly Cell[], neighbours: Neighbours): void {
  const places = new Map(before.map((cell, index) => [cell, index]));
  const wanted = new Map(
    layer.map((cell, index) => {
      const its = neighbours.get(cell) ?? [];
      return [cell, its.length === 0 ? index : its.reduce((sum, each) => sum + places.get(each)!, 0) / its.length];
    }),
  );
  layer.sort((one, other) => wanted.get(one)! - wanted.get(other)!);
}

function crossingsOf(layers: readonly (readonly Cell[])[], below: Neighbours): number {
  let crossings = 0;
  for (const [index, layer] of layers.entries()) {
    const places = new Map(layers[index + 1]?.map((cell, at) => [cell, at]));
    const ends = layer.flatMap((cell) => (below.get(cell) ?? []).map((each) => places.get(each)!).toSorted((a, b) => a - b));
    for (const [at, end] of ends.entries()) for (const later of ends.slice(at + 1)) if (later < end) crossings += 1;
  }
  return crossings;
}

function placeAcross(layers: readonly (readonly Cell[])[], pieces: readonly (readonly [Cell, Cell])[]): void {
  const { above, below } = neighboursOf(pieces);
  for (const layer of layers)
    spread(
      layer,
      layer.map(() => 0),
    );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      spread(
        layer,
        layer.map((cell) => {
          const its = (isDown ? above : below).get(cell) ?? [];
          return its.length === 0 ? cell.x : its.reduce((sum, { x }) => sum + x, 0) / its.length;
        }),
      );
    }
  }
}

/** Places the cells as close to the wanted positions as their widths allow, by least squares: cells that would overlap move together. */
function spread(layer: readonly Cell[], wanted: readonly number[]): void {
  const groups: { from: number; sum: number; count: number }[] = [];
  const offsets = [0];
  for (const [index, cell] of layer.entries()) {
    const before = layer[index - 1];
    if (before) offsets.push(offsets[index - 1]! + (before.width + cell.width) / 2 + BESIDE);
    groups.push({ from: index, sum: wanted[index]! - offsets[index]!, count: 1 });
    for (let last = groups.at(-1)!, left = groups.at(-2); left && left.sum / left.count >= last.sum / last.count; left = groups.at(-2)) {
      groups.pop();
      left.sum += last.sum;
      left.count += last.count;
      last = left;
    }
  }
  for (const { from, sum, count } of groups)
    for (let index = from; index < from + count; index++) layer[index]!.x = sum / count + offsets[index]!;
}

function result(
  layers: readonly (readonly Cell[])[],
  chains: readonly (readonly Cell[])[],
  back: ReadonlySet<number>,
  between: number,
): Layers {
  const left = Math.min(...layers.flat().map(({ x, width }) => x - width / 2));
  const places = new Map<string, Point>();
  let top = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((cell) => cell.height));
    for (const { id, x } of layer) places.set(id, { x: x - left, y: top + height / 2 });
    top += height + between;
  }
  const width = Math.max(...layers.flat().map(({ x, width: its }) => x - left + its / 2));
  const bends = chains.map((chain, index) => {
    const points = chain.map(({ id }) => places.get(id)!);
    return back.has(index) ? points.toReversed() : points;
  });
  return { width, height: top - between, places, bends };
}
