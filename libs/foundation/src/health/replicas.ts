import { hostname } from 'node:os';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Clock } from '../clock.ts';
import { Timers } from '../timers.ts';
import { SERVICE } from '../wiring/common.module.ts';
import { type Storage, STORAGE } from '../wiring/storage.module.ts';

const BEAT_MS = 10_000;
/** A replica without a beat for this long is silent. */
const LIVE_MS = 25_000;
/** A replica that is silent for this long is forgotten. */
const FORGOTTEN_MS = 600_000;
const BEATS_BETWEEN_REMOVALS = 6;

export interface ReplicaStates {
  readonly live: number;
  /** The hosts of replicas that sent beats in the last minutes, do not any more, and did not stop in good order: they were killed, or do not respond. */
  readonly silent: string[];
}

/** Knows the replicas of a service. Each replica regularly writes the time to the service's database. */
@Injectable()
export class Replicas implements OnModuleInit {
  private readonly id = `${hostname()} ${newId()}`;
  private beats = 0;
  private startedAt = 0;

  constructor(
    @Inject(STORAGE) private readonly storage: Storage,
    @Inject(SERVICE) service: string,
    private readonly clock: Clock,
    timers: Timers,
    shutdown: ShutdownPlan,
  ) {
    timers.every(BEAT_MS, 'beat of the replica', () => this.beat());
    shutdown.stop('background', `${service}: replica`, () => this.leave());
  }

  onModuleInit(): Promise<void> {
    return this.beat();
  }

  /** Rejects when the database does not answer. */
  async states(): Promise<ReplicaStates> {
    const all = await this.storage.replicas.all();
    const silent = all.filter(({ seen }) => seen <= this.clock.now() - LIVE_MS);
    return { live: all.length - silent.length, silent: silent.map(({ watcher }) => hostOf(watcher)).toSorted() };
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    if (this.beats === 0) this.startedAt = now;
    await this.storage.replicas.note(this.id, now);
    if (this.beats++ % BEATS_BETWEEN_REMOVALS > 0) return;
    for (const { watcher, seen, beat } of await this.storage.replicas.all())
      if (seen <= now - FORGOTTEN_MS || this.isReplacementOf(watcher, seen, now)) await this.storage.replicas.drop(watcher, beat);
  }

  /** Whether this process was started on the host of a lost one: a container that ended is started again. */
  private isReplacementOf(watcher: string, seen: number, now: number): boolean {
    return hostOf(watcher) === hostOf(this.id) && seen < this.startedAt && seen <= now - LIVE_MS;
  }

  /** If the database does not answer, the replica is counted for a few more seconds. */
  private async leave(): Promise<void> {
    const own = (await this.storage.replicas.all().catch(() => [])).find(({ watcher }) => watcher === this.id);
    if (own) await this.storage.replicas.drop(own.watcher, own.beat).catch(() => undefined);
  }
}

const hostOf = (watcher: string): string => watcher.split(' ')[0] as string;
