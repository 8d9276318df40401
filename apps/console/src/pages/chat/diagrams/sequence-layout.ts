import type { Participant, SequenceDiagram, SequenceStep } from './sequence.ts';
import { heightOf, type Measure, widthOf } from './text-size.ts';

type Message = Extract<SequenceStep, { kind: 'message' }>;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Frame extends Rect {
  readonly name: string;
  readonly lines: readonly string[];
  readonly branches: readonly { readonly y: number; readonly lines: readonly string[] }[];
}

export interface SequenceLayout {
  readonly width: number;
  readonly height: number;
  readonly participants: readonly (Rect & { readonly participant: Participant; readonly middle: number })[];
  /** `y` of the arrow. The text is above it. */
  readonly messages: readonly { readonly message: Message; readonly from: number; readonly to: number; readonly y: number }[];
  readonly notes: readonly (Rect & { readonly lines: readonly string[] })[];
  readonly frames: readonly Frame[];
}

const MARGIN = 8;
const LEAST_BETWEEN = 110;
const ROW_GAP = 16;
/** How far a message to oneself extends. */
export const SELF_WIDTH = 36;
export const SELF_HEIGHT = 20;
const FRAME_HEAD = 26;

export const textOf = ({ number, lines }: Message): readonly string[] =>
  number === null ? lines : [`${number}. ${lines[0] ?? ''}`.trim(), ...lines.slice(1)];

/** The layout of a sequence diagram. */
export function sequenceLayout({ participants, steps }: SequenceDiagram, measure: Measure): SequenceLayout {
  const widths = participants.map(({ lines }) => Math.max(72, widthOf(lines, measure) + 28));
  const headHeight = Math.max(36, ...participants.map(({ lines }) => heightOf(lines) + 18));
  const middles = middlesOf(widths, steps, measure);
  const rows = new Rows(middles, MARGIN + headHeight + 20, measure);
  for (const step of steps) rows.add(step);
  const bottom = rows.y + 8;
  const [left, right] = rows.edges(middles[0]! - widths[0]! / 2, middles.at(-1)! + widths.at(-1)! / 2);
  const moved = MARGIN - left;
  const shift = <Part extends { readonly x: number }>(part: Part): Part => ({ ...part, x: part.x + moved });
  return {
    width: right - left + 2 * MARGIN,
    height: bottom + MARGIN,
    participants: participants.map((participant, index) => {
      const middle = middles[index]! + moved;
      return { participant, middle, x: middle - widths[index]! / 2, y: MARGIN, width: widths[index]!, height: headHeight };
    }),
    messages: rows.messages.map((each) => ({ ...each, from: each.from + moved, to: each.to + moved })),
    notes: rows.notes.map(shift),
    frames: rows.frames.map(shift),
  };
}

/** The centres of the participants, far enough apart for the heads and the texts between them. */
function middlesOf(widths: readonly number[], steps: readonly SequenceStep[], measure: Measure): readonly number[] {
  const gaps = widths.slice(1).map((width, index) => Math.max(LEAST_BETWEEN, (width + widths[index]!) / 2 + 20));
  for (const step of steps) {
    if (step.kind !== 'message' && step.kind !== 'note') continue;
    const [first, last] = [Math.min(step.from, step.to), Math.max(step.from, step.to)];
    const needed = widthOf(step.kind === 'message' ? textOf(step) : step.lines, measure) + 28;
    if (step.kind === 'message' && first === last) {
      if (first < gaps.length) gaps[first] = Math.max(gaps[first]!, needed + SELF_WIDTH);
      continue;
    }
    if (first === last) continue;
    const room = gaps.slice(first, last).reduce((sum, gap) => sum + gap, 0);
    const more = Math.max(0, needed - room) / (last - first);
    for (let index = first; index < last; index++) gaps[index]! += more;
  }
  const middles = [widths[0]! / 2];
  for (const gap of gaps) middles.push(middles.at(-1)! + gap);
  return middles;
}

/** The steps from top to bottom. */
class Rows {
  readonly messages: { message: Message; from: number; to: number; y: number }[] = [];
  readonly notes: (Rect & { lines: readonly string[] })[] = [];
  readonly frames: Frame[] = [];
  private readonly open: {
    name: string;
    lines: readonly string[];
    y: number;
    branches: { y: number; lines: readonly string[] }[];
    ends: number[];
  }[] = [];

  constructor(
    private readonly middles: readonly number[],
    public y: number,
    private readonly measure: Measure,
  ) {}

  edges(left: number, right: number): readonly [number, number] {
    const boxes = [...this.notes, ...this.frames];
    const texts = this.messages.flatMap(({ message, from, to }) => {
      const width = widthOf(textOf(message), this.measure);
      return from === to ? [from + SELF_WIDTH + 8 + width] : [(from + to + width) / 2];
    });
    return [Math.min(left, ...boxes.map(({ x }) => x)), Math.max(right, ...texts, ...boxes.map(({ x, width }) => x + width))];
  }

  add(step: SequenceStep): void {
    switch (step.kind) {
      case 'message':
        return this.message(step);
      case 'note':
        return this.note(step);
      case 'begin':
        this.open.push({ name: step.name, lines: step.lines, y: this.y, branches: [], ends: [] });
        this.y += FRAME_HEAD + 10;
        return;
      case 'else':
        this.open.at(-1)!.branches.push({ y: this.y, lines: step.lines });
        this.y += Math.max(heightOf(step.lines), 8) + 12;
        return;
      case 'end':
        return this.close();
    }
  }

  private message(message: Message): void {
    const [from, to] = [this.middles[message.from]!, this.middles[message.to]!];
    this.y += heightOf(textOf(message)) + 4;
    this.messages.push({ message, from, to, y: this.y });
    this.reach(from, to + (from === to ? SELF_WIDTH + widthOf(textOf(message), this.measure) : 0));
    this.y += ROW_GAP + (from === to ? SELF_HEIGHT : 0);
  }

  private note({ place, from, to, lines }: Extract<SequenceStep, { kind: 'note' }>): void {
    const [first, last] = [this.middles[from]!, this.middles[to]!];
    const width = Math.max(place === 'over' ? last - first + 40 : 0, widthOf(lines, this.measure) + 20);
    const x = place === 'left' ? first - width - 12 : place === 'right' ? last + 12 : (first + last - width) / 2;
    const height = heightOf(lines) + 12;
    this.notes.push({ x, y: this.y, width, height, lines });
    this.reach(x, x + width);
    this.y += height + ROW_GAP;
  }

  /** Extends all open frames to these horizontal positions. */
  private reach(...ends: readonly number[]): void {
    for (const frame of this.open) frame.ends.push(...ends);
  }

  private close(): void {
    const { name, lines, y, branches, ends } = this.open.pop()!;
    const [left, right] = ends.length === 0 ? [this.middles[0]!, this.middles.at(-1)!] : [Math.min(...ends), Math.max(...ends)];
    const room = 24 - 6 * Math.min(3, this.open.length);
    const title = widthOf([`${name} ${lines.join(' ')}`], this.measure) + 44;
    const width = Math.max(right - left + 2 * room, title);
    const height = this.y - y;
    this.frames.push({ x: left - room, y, width, height, name, lines, branches });
    this.reach(left - room, left - room + width);
    this.y += 14;
  }
}
