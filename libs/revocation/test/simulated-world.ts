import type { RevocationCopy } from '../src/copy.ts';
import { type Poll, RevocationFeed } from '../src/feed.ts';
import { MemoryWatcherRegistry } from '../src/memory.ts';
import { RevocationRecords } from '../src/records.ts';
import type { WatcherRegistry } from '../src/registry.ts';
import type { RevocationRow } from '../src/rows.ts';
import { RevocationSource, RevocationWatcher } from '../src/watcher.ts';
import { Agenda, Dice, SimulatedProcess } from './agenda.ts';
import { DistantRegistry } from './distant-registry.ts';

/** The parts of a world. Tests replace them with parts that are broken on purpose. */
export interface WorldParts {
  readonly registry?: WatcherRegistry;
  readonly copy?: (process: SimulatedProcess) => RevocationCopy;
  readonly feedTime?: (process: SimulatedProcess) => SimulatedProcess;
  /** The registry as a replica reaches it. */
  readonly distant?: (registry: WatcherRegistry, process: SimulatedProcess) => WatcherRegistry;
}

interface Watch {
  readonly process: SimulatedProcess;
  readonly watcher: RevocationWatcher;
}

interface Replica {
  readonly process: SimulatedProcess;
  readonly feed: RevocationFeed;
}

const PROBE_MS = 40;

/** One database, replicas of the owner, and watchers that poll any replica. Violations of the promise are recorded in `broken`. */
export class SimulatedWorld {
  readonly agenda = new Agenda();
  readonly broken: string[] = [];
  readonly answered: number[] = [];
  unanswered = 0;
  private readonly dice: Dice;
  private readonly registry: WatcherRegistry;
  private readonly log: RevocationRow[] = [];
  private readonly rows = new Map<string, RevocationRow>();
  private reach = 0;
  private readonly revoked = new Set<string>();
  private readonly watches: Watch[] = [];
  private readonly replicas: Replica[] = [];

  constructor(
    seed: number,
    private readonly parts: WorldParts = {},
  ) {
    this.dice = new Dice(seed);
    this.registry = parts.registry ?? new MemoryWatcherRegistry({ watchersOutliveIt: false });
    for (const _ of [1, 2]) this.startReplica(this.replicas.length);
    for (const _ of [1, 2, 3]) this.startWatcher();
  }

  startWatcher(): void {
    const process = this.process();
    const copy = this.parts.copy?.(process);
    const watcher = new RevocationWatcher(this.sourceOf(process), { time: process, ...(copy && { copy }) });
    this.watches.push({ process, watcher });
    process.do(() => watcher.start());
    const probe = () => {
      if (process.isDead) return;
      if (process.isAwake) this.probe({ process, watcher });
      this.agenda.at(this.agenda.now + PROBE_MS, probe);
    };
    probe();
  }

  killWatcher(number: number): void {
    this.watches[number % this.watches.length]!.process.isDead = true;
  }

  stopWatcher(number: number): void {
    const { process, watcher } = this.watches[number % this.watches.length]!;
    process.do(() => void watcher.stop());
  }

  pauseWatcher(number: number, millis: number): void {
    this.watches[number % this.watches.length]!.process.pause(millis);
  }

  pauseReplica(number: number, millis: number): void {
    this.replicas[number % 2]!.process.pause(millis);
  }

  /** Kills a replica at any point of its work, and starts another in its place. */
  startReplica(number: number): void {
    const before = this.replicas[number % 2];
    if (before) before.process.isDead = true;
    const process = this.process();
    const time = this.parts.feedTime?.(process) ?? process;
    const distant = this.parts.distant?.(this.registry, process) ?? new DistantRegistry(this.registry, process);
    this.replicas[number % 2] = { process, feed: new RevocationFeed(this.recordsOf(process), distant, time) };
  }

  /** The command path: the event, the rows, the wait for all watchers, the answer. After the answer, the key must be revoked everywhere. */
  signOut(number: number): void {
    const { process, feed } = this.replicas[number % 2]!;
    process.do(() => void this.revokeBy(process, feed));
  }

  /** Checks after every step that no valid copy lacks an answered revocation. */
  check(): void {
    for (const { process, watcher } of this.watches) {
      if (!process.isAwake || !watcher.isFresh) continue;
      for (const key of this.revoked) if (watcher.anyRevoked([key]) === false) this.report(`a fresh copy lacks ${key}`);
    }
  }

  private async revokeBy(process: SimulatedProcess, feed: RevocationFeed): Promise<void> {
    const begun = this.agenda.now;
    this.unanswered += 1;
    const row = await process.ask(() => this.append());
    await feed.seenByAll(row.position).then(
      () => this.revoked.add(row.key),
      () => undefined,
    );
    this.unanswered -= 1;
    this.answered.push(this.agenda.now - begun);
  }

  private append(): RevocationRow {
    const position = this.log.length + 1;
    const row = { key: `session:${position}`, revoked: true, position, until: Number.MAX_SAFE_INTEGER };
    this.log.push(row);
    // The projection follows some time later.
    this.agenda.at(this.agenda.now + this.dice.delay(), () => this.include(position));
    return row;
  }

  private include(position: number): void {
    while (this.reach < position) {
      const row = this.log[this.reach++]!;
      this.rows.set(row.key, row);
    }
  }

  /** A watcher without a valid copy asks the owner. Keys that were revoked when it asked must be revoked in the answer. */
  private probe({ watcher }: Watch): void {
    if (watcher.isFresh || this.dice.next() < 0.5) return;
    for (const key of [...this.revoked].slice(-2)) {
      Promise.resolve(watcher.anyRevoked([key])).then(
        (isRevoked) => isRevoked || this.report(`${key} was requested, and called alive`),
        () => undefined,
      );
    }
  }

  private report(what: string): void {
    this.broken.push(`${Math.round(this.agenda.now)} ms: ${what}`);
  }

  private process(): SimulatedProcess {
    return new SimulatedProcess(this.agenda, this.dice);
  }

  private sourceOf(process: SimulatedProcess): RevocationSource {
    const owner = () => this.replicas[this.dice.next() < 0.5 ? 0 : 1]!;
    return new (class extends RevocationSource {
      poll(poll: Poll) {
        const { process: other, feed } = owner();
        return process.call(other, () => feed.poll(poll));
      }
      revokedOf(keys: readonly string[]) {
        const { process: other, feed } = owner();
        return process.call(other, () => feed.revokedOf(keys));
      }
    })();
  }

  private recordsOf(process: SimulatedProcess): RevocationRecords {
    const rows = (wanted: (row: RevocationRow) => boolean) => process.ask(() => [...this.rows.values()].filter(wanted));
    const [reached, head] = [() => this.reach, () => this.log.length];
    return new (class extends RevocationRecords {
      reached = () => process.ask(reached);
      head = () => process.ask(head);
      storedHead = () => process.ask(head);
      since = (position: number) => rows((row) => row.position > position);
      holding = () => rows(({ revoked }) => revoked);
      of = (keys: readonly string[]) => rows(({ key }) => keys.includes(key));
      grown = (_: number, signal: AbortSignal) => process.sleep(250, signal);
    })();
  }
}
