import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { Clock } from '../clock.ts';
import { Timers } from '../timers.ts';
import { SERVICE } from '../wiring/common.module.ts';
import { type Storage, STORAGE } from '../wiring/storage.module.ts';

const BEAT_MS = 10_000;
/** A replica without a beat for this long is not counted. */
const LIVE_MS = 25_000;
/** Replicas that are not counted any more are removed with each beat of this number. */
const BEATS_BETWEEN_REMOVALS = 6;

/** Counts the running replicas of a service. Each replica regularly writes the time to the service's database. */
@Injectable()
export class Replicas implements OnModuleInit {
  private readonly id = newId();
  private beats = 0;

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
  async live(): Promise<number> {
    const all = await this.storage.replicas.all();
    return all.filter(({ seen }) => seen > this.clock.now() - LIVE_MS).length;
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    await this.storage.replicas.note(this.id, now);
    if (this.beats++ % BEATS_BETWEEN_REMOVALS > 0) return;
    for (const { watcher, seen, beat } of await this.storage.replicas.all())
      if (seen <= now - LIVE_MS) await this.storage.replicas.drop(watcher, beat);
  }

  /** If the database does not answer, the replica is counted for a few more seconds. */
  private async leave(): Promise<void> {
    const own = (await this.storage.replicas.all().catch(() => [])).find(({ watcher }) => watcher === this.id);
    if (own) await this.storage.replicas.drop(own.watcher, own.beat).catch(() => undefined);
  }
}
