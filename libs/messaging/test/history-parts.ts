import { Instant } from '@parlance/decider';
import type { Commit } from '@parlance/event-store';
import type { SqliteFile, UnitOfWork } from '@parlance/sqlite';
import type { Outgoing } from '../src/broker.ts';
import type { ServiceLog } from '../src/log-broker.ts';

export type Step =
  | { readonly do: 'append'; readonly events: readonly { readonly key: number; readonly type: number; readonly poison: boolean }[] }
  | { readonly do: 'join' | 'leave' | 'raise' | 'heal' | 'redrive'; readonly group: number }
  /** The process is killed before or after a later write, or now. */
  | { readonly do: 'kill'; readonly writes: number; readonly isWritten: boolean };

export const TYPES = ['one', 'two', 'three'];
/** The types that each group wants. */
export const WANTED: readonly (readonly number[])[] = [[0], [0, 1], [0, 1, 2]];
const metadata = {
  at: Instant.ofMillis(Date.now()),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

export interface Stored {
  readonly id: string;
  readonly key: string;
  readonly type: number;
  readonly poison: boolean;
}

/** A log in memory, which no kill touches. */
export class MemoryLog {
  readonly commits: (readonly Stored[])[] = [];
  readonly #grown = new Set<() => void>();

  append(events: readonly Stored[]): void {
    this.commits.push(events);
    for (const wake of this.#grown) wake();
    this.#grown.clear();
  }

  as(name: string): ServiceLog {
    const topic = `parlance.${name}`;
    const commitAt = (at: number): Commit => ({ position: at + 1, stream: '', version: 1, events: [], metadata });
    const outgoing = ({ id, key, type }: Stored): Outgoing => {
      const event = { id, type: `${topic}.${TYPES[type]}.v1`, subject: key, data: {} } as Outgoing['event'];
      return { topic, key, event };
    };
    return {
      name,
      topic,
      publish: ({ position }) => this.commits[position - 1]!.map(outgoing),
      relayed: async () => 0,
      store: {
        head: async () => this.commits.length,
        readAll: async (after, most) => this.commits.slice(after, after + Math.min(most, 3)).map((_, at) => commitAt(after + at)),
        grown: (after, signal) =>
          new Promise((resolve) => {
            if (this.commits.length > after || signal.aborted) return resolve();
            this.#grown.add(resolve);
            signal.addEventListener('abort', () => resolve());
          }),
      },
    };
  }
}

/** The file of a process that can be killed: then it writes nothing more. */
export class Mortal {
  isDead = false;
  private left = Infinity;
  private isWritten = false;
  readonly file: SqliteFile;

  constructor(file: SqliteFile) {
    const write = async (work: UnitOfWork<unknown>): Promise<unknown> => {
      const isLast = !this.isDead && this.left-- <= 0;
      if (this.isDead || isLast) {
        this.isDead = true;
        if (isLast && this.isWritten) await file.write(work);
        return new Promise(() => undefined);
      }
      return file.write(work);
    };
    this.file = new Proxy(file, { get: (_, name: keyof SqliteFile) => (name === 'write' ? write : file[name].bind(file)) });
  }

  kill({ writes, isWritten }: { readonly writes: number; readonly isWritten: boolean }): void {
    if (writes === 0) this.isDead = true;
    this.left = Math.min(this.left, writes - 1);
    this.isWritten = isWritten;
  }
}

/** The plain model of a group: it has handled each wanted event, or set it aside. */
export class Model {
  version = 1;
  isHealed = false;
  isJoined = false;
  readonly handled = new Set<string>();
  readonly parked = new Set<string>();

  constructor(readonly number: number) {}

  name(source: string): string {
    return `${source}.g${this.number}.v${this.version}`;
  }

  wants({ type }: Stored): boolean {
    return WANTED[this.number]!.includes(type);
  }

  meet(event: Stored): void {
    if (!this.wants(event) || this.handled.has(event.id)) return;
    if (event.poison && !this.isHealed) this.parked.add(event.id);
    else if (!this.parked.has(event.id)) this.handled.add(event.id);
  }

  redrive(): void {
    if (!this.isHealed) return;
    for (const id of this.parked) this.handled.add(id);
    this.parked.clear();
  }
}
