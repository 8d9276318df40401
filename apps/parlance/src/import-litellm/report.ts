export type State = 'make' | 'made' | 'exists' | 'left out' | 'in part';

const STATE_WIDTH = 9;
const KIND_WIDTH = 10;
const NAME_WIDTH = 34;

/** Writes what is made, what exists and what cannot be taken over, line by line, so that the number of keys does not matter. */
export class Report {
  private readonly counts = new Map<string, number>();

  constructor(private readonly print: (line: string) => void) {}

  head(): void {
    this.print(line('STATE', 'KIND', 'NAME', 'DETAILS'));
  }

  row(state: State, kind: string, name: string, details = ''): void {
    const counted = `${kind}\n${state}`;
    this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
    this.print(line(state, kind, name, details));
  }

  /** A resource is not made. The reason is a full sentence. */
  leave(kind: string, name: string, reason: string): void {
    this.row('left out', kind, name, reason);
  }

  /** A resource is made without one of its settings, or with another value. */
  change(kind: string, name: string, setting: string, reason: string): void {
    this.row('in part', kind, name, `${setting}: ${reason}`);
  }

  count(kind: string, state: State): number {
    return this.counts.get(`${kind}\n${state}`) ?? 0;
  }

  summary(): void {
    this.print('');
    const kinds = [...new Set([...this.counts.keys()].map((counted) => counted.split('\n')[0]!))];
    for (const kind of kinds) {
      const states = (['make', 'made', 'exists', 'left out', 'in part'] as const).filter((state) => this.count(kind, state) > 0);
      this.print(`${kind.padEnd(KIND_WIDTH)}${states.map((state) => `${this.count(kind, state)} ${state}`).join(', ')}`);
    }
  }
}

const line = (state: string, kind: string, name: string, details: string): string =>
  shown(`${state.padEnd(STATE_WIDTH)} ${kind.padEnd(KIND_WIDTH)} ${name.padEnd(NAME_WIDTH)} ${details}`.trimEnd());

/** Names of the source must not control the terminal. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '?');
