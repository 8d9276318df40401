import { labelLines } from './label-lines.ts';

export type Direction = 'TB' | 'BT' | 'LR' | 'RL';
export type Shape = 'rect' | 'round' | 'stadium' | 'subroutine' | 'cylinder' | 'circle' | 'diamond' | 'hexagon' | 'slanted';
export type LineEnd = 'none' | 'arrow' | 'circle' | 'cross';

export interface FlowNode {
  readonly id: string;
  readonly lines: readonly string[];
  readonly shape: Shape;
  /** The enclosing group. */
  readonly group: string | null;
}

export interface FlowGroup {
  readonly id: string;
  readonly lines: readonly string[];
  readonly group: string | null;
  readonly direction: Direction | null;
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly lines: readonly string[];
  readonly line: 'solid' | 'dotted' | 'thick' | 'invisible';
  readonly start: LineEnd;
  readonly end: LineEnd;
}

export interface Flowchart {
  readonly kind: 'flowchart';
  readonly direction: Direction;
  readonly nodes: readonly FlowNode[];
  readonly groups: readonly FlowGroup[];
  readonly edges: readonly FlowEdge[];
}

const MOST_NODES = 80;
const MOST_EDGES = 160;
const MOST_GROUPS = 40;
const DEEPEST = 4;

const HEADER = /^(?:graph|flowchart)(?:\s+(TB|TD|BT|LR|RL))?\s*;?$/;
/** Statements about styles and links of nodes, which are ignored. */
const LEFT_OUT = /^(?:classDef|class|style|linkStyle|click|accTitle|accDescr)\b/;
const GROUP = /^subgraph(?:\s+(.+))?$/;
const NAMED_GROUP = /^([\w-]+)\s*\[(.+)\]$/;
const ID = /^[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/u;
const CLASS = /^:::[\w-]+/;

const SHAPES: readonly (readonly [open: string, close: string, shape: Shape])[] = [
  ['(((', ')))', 'circle'],
  ['((', '))', 'circle'],
  ['([', '])', 'stadium'],
  ['[[', ']]', 'subroutine'],
  ['[(', ')]', 'cylinder'],
  ['[/', '/]', 'slanted'],
  ['[/', '\\]', 'slanted'],
  ['[\\', '\\]', 'slanted'],
  ['[\\', '/]', 'slanted'],
  ['{{', '}}', 'hexagon'],
  ['[', ']', 'rect'],
  ['(', ')', 'round'],
  ['{', '}', 'diamond'],
  ['>', ']', 'rect'],
];

const LINKS: readonly (readonly [pattern: RegExp, line: FlowEdge['line']])[] = [
  [/^(?<start>[<ox])?--+(?<end>[->ox])\s*(?:\|(?<text>[^|]*)\|)?/, 'solid'],
  [/^(?<start>[<ox])?--(?:\s+|(?=[^-\s>ox|]))(?<text>.+?)\s*--+(?<end>[->ox])/, 'solid'],
  [/^(?<start>[<ox])?==+(?<end>[=>ox])\s*(?:\|(?<text>[^|]*)\|)?/, 'thick'],
  [/^(?<start>[<ox])?==(?:\s+|(?=[^=\s>ox|]))(?<text>.+?)\s*==+(?<end>[=>ox])/, 'thick'],
  [/^(?<start>[<ox])?-\.+-(?<end>[>ox])?\s*(?:\|(?<text>[^|]*)\|)?/, 'dotted'],
  [/^(?<start>[<ox])?-\.\s*(?<text>.+?)\s*\.+-(?<end>[>ox])?/, 'dotted'],
  [/^~~~+/, 'invisible'],
];

const endOf = (sign: string | undefined): LineEnd =>
  sign === '>' || sign === '<' ? 'arrow' : sign === 'o' ? 'circle' : sign === 'x' ? 'cross' : 'none';

const directionOf = (name: string | undefined): Direction => (name === undefined || name === 'TD' ? 'TB' : (name as Direction));

/** Parses the lines of a Mermaid flowchart. Null if it contains something that is not supported here. */
export function flowchartOf([header = '', ...lines]: readonly string[]): Flowchart | null {
  const match = HEADER.exec(header);
  if (!match) return null;
  const reader = new FlowchartReader();
  if (!lines.every((line) => reader.read(line)) || !reader.isComplete) return null;
  return { kind: 'flowchart', direction: directionOf(match[1]), ...reader.parts };
}

class FlowchartReader {
  private readonly nodes = new Map<string, FlowNode>();
  private readonly groups = new Map<string, FlowGroup>();
  private readonly edges: FlowEdge[] = [];
  /** The open groups, outermost first. */
  private readonly open: string[] = [];
  private rest = '';

  get isComplete(): boolean {
    return this.open.length === 0 && this.nodes.size > 0 && this.nodes.size <= MOST_NODES && this.edges.length <= MOST_EDGES;
  }

  get parts(): Pick<Flowchart, 'nodes' | 'groups' | 'edges'> {
    // An edge may name a group before or after the group begins.
    const nodes = [...this.nodes.values()].filter(({ id }) => !this.groups.has(id));
    return { nodes, groups: [...this.groups.values()], edges: this.edges };
  }

  /** False if the line cannot be parsed. */
  read(line: string): boolean {
    if (LEFT_OUT.test(line)) return true;
    const group = GROUP.exec(line);
    if (group) return this.begin(group[1] ?? `group ${this.groups.size + 1}`);
    if (/^end\s*;?$/.test(line)) return this.open.pop() !== undefined;
    const direction = /^direction\s+(TB|TD|BT|LR|RL)$/.exec(line);
    if (direction) return this.turn(directionOf(direction[1]));
    this.rest = line;
    while (this.rest !== '') if (!this.statement()) return false;
    return true;
  }

  private get group(): string | null {
    return this.open.at(-1) ?? null;
  }

  private begin(name: string): boolean {
    const named = NAMED_GROUP.exec(name);
    const [id, title] = named ? [named[1]!, named[2]!] : [name.replaceAll('"', ''), name];
    if (this.groups.has(id) || this.groups.size >= MOST_GROUPS || this.open.length >= DEEPEST) return false;
    this.groups.set(id, { id, lines: labelLines(title), group: this.group, direction: null });
    this.open.push(id);
    return true;
  }

  private turn(direction: Direction): boolean {
    const group = this.group === null ? undefined : this.groups.get(this.group);
    if (group) this.groups.set(group.id, { ...group, direction });
    return group !== undefined;
  }

  private statement(): boolean {
    let from = this.nodeList();
    if (from === null) return false;
    for (;;) {
      this.rest = this.rest.trimStart();
      if (this.rest === '') return true;
      if (this.rest.startsWith(';')) {
        this.rest = this.rest.slice(1).trimStart();
        return true;
      }
      const link = this.link();
      const to = link && this.nodeList();
      if (!link || !to) return false;
      // Parsing stops at the first line that does not match.
      if (this.nodes.size > MOST_NODES || this.edges.length + from.length * to.length > MOST_EDGES) return false;
      for (const one of from) for (const other of to) this.edges.push({ from: one, to: other, ...link });
      from = to;
    }
  }

  private link(): Omit<FlowEdge, 'from' | 'to'> | null {
    for (const [pattern, line] of LINKS) {
      const match = pattern.exec(this.rest);
      if (!match) continue;
      this.rest = this.rest.slice(match[0].length);
      const { start, end, text = '' } = match.groups ?? {};
      return { line, start: endOf(start), end: endOf(end), lines: labelLines(text) };
    }
    return null;
  }

  private nodeList(): readonly string[] | null {
    const ids: string[] = [];
    for (;;) {
      this.rest = this.rest.trimStart();
      const id = ID.exec(this.rest)?.[0];
      if (id === undefined) return null;
      this.rest = this.rest.slice(id.length);
      if (!this.shape(id)) return null;
      this.rest = this.rest.replace(CLASS, '');
      ids.push(id);
      const more = /^\s*&/.exec(this.rest);
      if (!more) return ids;
      this.rest = this.rest.slice(more[0].length);
    }
  }

  /** The text and shape after an ID. Later definitions replace earlier ones. */
  private shape(id: string): boolean {
    const known = this.nodes.get(id);
    const group = known?.group ?? this.group;
    for (const [open, close, shape] of SHAPES) {
      if (!this.rest.startsWith(open)) continue;
      const isQuoted = this.rest[open.length] === '"';
      const quoteEnd = isQuoted ? this.rest.indexOf('"', open.length + 1) : open.length;
      const end = quoteEnd < 0 ? -1 : this.rest.indexOf(close, quoteEnd);
      if (end < 0) continue;
      this.nodes.set(id, { id, shape, group, lines: labelLines(this.rest.slice(open.length, end)) });
      this.rest = this.rest.slice(end + close.length);
      return true;
    }
    if (/^[[({>]/.test(this.rest)) return false;
    // A node named in a group belongs to it.
    this.nodes.set(id, { shape: 'rect', lines: [id], ...known, id, group });
    return true;
  }
}
