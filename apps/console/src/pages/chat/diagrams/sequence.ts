import { labelLines } from './label-lines.ts';

export interface Participant {
  readonly id: string;
  readonly lines: readonly string[];
  readonly isActor: boolean;
}

export type SequenceStep =
  | {
      readonly kind: 'message';
      /** Indexes in the list of participants. */
      readonly from: number;
      readonly to: number;
      readonly lines: readonly string[];
      readonly isDashed: boolean;
      readonly end: 'none' | 'arrow' | 'open' | 'cross';
      readonly isTwoWay: boolean;
      readonly number: number | null;
    }
  | {
      readonly kind: 'note';
      readonly place: 'over' | 'left' | 'right';
      readonly from: number;
      readonly to: number;
      readonly lines: readonly string[];
    }
  | { readonly kind: 'begin'; readonly name: string; readonly lines: readonly string[] }
  | { readonly kind: 'else'; readonly lines: readonly string[] }
  | { readonly kind: 'end' };

export interface SequenceDiagram {
  readonly kind: 'sequence';
  readonly participants: readonly Participant[];
  readonly steps: readonly SequenceStep[];
}

const MOST_PARTICIPANTS = 16;
const MOST_STEPS = 150;
const DEEPEST = 6;

const NAME = '[^\\s+\\-:,;>][^+:,;>]*?';
const PARTICIPANT = /^(?:create\s+)?(participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/;
const MESSAGE = new RegExp(`^(${NAME})\\s*(<<)?(--?)(>>|>|x|\\))\\s*[+-]?\\s*(${NAME})\\s*:\\s*(.*)$`);
const NOTE = /^note\s+(over|left of|right of)\s+([^:]+?)\s*:\s*(.*)$/i;
const BLOCK = /^(loop|alt|opt|par|critical|break|rect)\b\s*(.*)$/;
const BRANCH = /^(?:else|and|option)\b\s*(.*)$/;
/** Statements that do not change the picture. */
const LEFT_OUT = /^(?:activate|deactivate|destroy|title|accTitle|accDescr)\b/;
const ENDS = { '>>': 'arrow', '>': 'none', x: 'cross', ')': 'open' } as const;

/** Parses the lines of a Mermaid sequence diagram. Null if it contains something that is not supported here. */
export function sequenceOf([header = '', ...lines]: readonly string[]): SequenceDiagram | null {
  if (!/^sequenceDiagram\s*;?$/.test(header)) return null;
  const reader = new SequenceReader();
  return lines.every((line) => reader.read(line.replace(/ ?;$/, '')) && reader.fits) ? reader.diagram : null;
}

class SequenceReader {
  private readonly participants: Participant[] = [];
  private readonly steps: SequenceStep[] = [];
  private depth = 0;
  private isNumbered = false;
  private messages = 0;

  get fits(): boolean {
    return this.participants.length <= MOST_PARTICIPANTS && this.steps.length <= MOST_STEPS;
  }

  get diagram(): SequenceDiagram | null {
    const { participants, steps } = this;
    return this.fits && participants.length > 0 && this.depth === 0 ? { kind: 'sequence', participants, steps } : null;
  }

  /** False if the line cannot be parsed. */
  read(line: string): boolean {
    if (LEFT_OUT.test(line)) return true;
    if (/^autonumber\b/.test(line)) return (this.isNumbered = true);
    const participant = PARTICIPANT.exec(line);
    if (participant) return this.participant(participant[2]!, participant[3] ?? participant[2]!, participant[1] === 'actor');
    const block = BLOCK.exec(line);
    if (block) return this.begin(block[1]!, block[2]!);
    const branch = BRANCH.exec(line);
    if (branch) return this.depth > 0 && this.add({ kind: 'else', lines: labelLines(branch[1]!) });
    if (line === 'end') return this.depth-- > 0 && this.add({ kind: 'end' });
    const note = NOTE.exec(line);
    if (note) return this.note(note[1]!.toLowerCase(), note[2]!, note[3]!);
    return this.message(line);
  }

  private add(step: SequenceStep): true {
    this.steps.push(step);
    return true;
  }

  private begin(name: string, label: string): boolean {
    this.depth += 1;
    // A rectangle has a colour, which is not shown.
    return (
      this.depth <= DEEPEST &&
      this.add({ kind: 'begin', name: name === 'rect' ? '' : name, lines: name === 'rect' ? [] : labelLines(label) })
    );
  }

  private participant(id: string, label: string, isActor: boolean): boolean {
    const known = this.participants.findIndex((each) => each.id === id);
    const its = { id, lines: labelLines(label), isActor };
    if (known < 0) this.participants.push(its);
    else this.participants[known] = its;
    return true;
  }

  private placeOf(id: string): number {
    const known = this.participants.findIndex((each) => each.id === id);
    if (known >= 0) return known;
    return this.participants.push({ id, lines: labelLines(id), isActor: false }) - 1;
  }

  private note(where: string, of: string, text: string): boolean {
    const [first, last, ...more] = of.split(',').map((id) => this.placeOf(id.trim()));
    if (first === undefined || more.length > 0) return false;
    const place = where === 'over' ? 'over' : where === 'left of' ? 'left' : 'right';
    const [from, to] = [Math.min(first, last ?? first), Math.max(first, last ?? first)];
    return this.add({ kind: 'note', place, from, to, lines: labelLines(text) });
  }

  private message(line: string): boolean {
    const match = MESSAGE.exec(line);
    if (!match) return false;
    const [, from, twoWay, dashes, head, to, text] = match;
    return this.add({
      kind: 'message',
      from: this.placeOf(from!.trim()),
      to: this.placeOf(to!.trim()),
      lines: labelLines(text!),
      isDashed: dashes === '--',
      end: ENDS[head as keyof typeof ENDS],
      isTwoWay: twoWay !== undefined,
      number: this.isNumbered ? ++this.messages : null,
    });
  }
}
