import { reasonOf, type Report } from '../retry.ts';
import type { Cursors } from './cursors.ts';
import type { Lane } from './lane.ts';

/** Whether a cursor moved past a handled event, or only past events that the group does not want. */
export type Move = 'handled' | 'passed';

/** The longest time until a moved cursor is written. After a crash, deliveries of that time are handled again, and skipped events are read again. */
const AFTER_MS: Readonly<Record<Move, number>> = { handled: 500, passed: 5_000 };

/** Writes the moved cursors of all groups together. */
export class MovedCursors {
  readonly #cursors: Cursors;
  readonly #report: Report;
  readonly #lanes: Readonly<Record<Move, Set<Lane>>> = { handled: new Set(), passed: new Set() };
  readonly #timers = new Map<Move, NodeJS.Timeout>();
  #writing: Promise<void> = Promise.resolve();

  constructor(cursors: Cursors, report: Report) {
    this.#cursors = cursors;
    this.#report = report;
  }

  add(lane: Lane, how: Move): void {
    this.#lanes[how].add(lane);
    if (this.#timers.has(how)) return;
    const write = () => void this.#write(how).catch((error: unknown) => this.#failed(error));
    this.#timers.set(how, setTimeout(write, AFTER_MS[how]).unref());
  }

  /** Writes all moved cursors now. */
  async write(): Promise<void> {
    await this.#write('handled');
    await this.#write('passed');
  }

  #write(how: Move): Promise<void> {
    clearTimeout(this.#timers.get(how));
    this.#timers.delete(how);
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#writeNow(how));
    return this.#writing;
  }

  async #writeNow(how: Move): Promise<void> {
    const lanes = [...this.#lanes[how]];
    this.#lanes[how].clear();
    try {
      await this.#cursors.move(lanes.map(({ cursor }) => cursor));
    } catch (error) {
      for (const lane of lanes) this.add(lane, how);
      throw error;
    }
  }

  #failed(error: unknown): void {
    this.#report('the positions of groups could not be written', { error: reasonOf(error) });
  }
}
