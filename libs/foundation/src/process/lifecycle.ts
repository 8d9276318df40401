import type { OnModuleInit } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { forgetNamesBefore } from '@parlance/event-store';
import type { Relay } from '@parlance/messaging';
import type { Projector } from '@parlance/read-models';
import type { Clock } from '../clock.ts';
import type { Host } from './host.ts';
import type { Storage } from '../wiring/storage.module.ts';
import type { Timers } from '../timers.ts';

export interface Running {
  readonly storage: Storage;
  readonly projector: Projector;
  readonly relay: Relay;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts what runs beside requests, in an order in which nothing is missed, and says in which order it is stopped. */
export class Lifecycle implements OnModuleInit {
  constructor(
    { shutdown, config }: Host,
    service: string,
    private readonly running: Running,
    { timers, clock }: { readonly timers: Timers; readonly clock: Clock },
  ) {
    // Twice as long as a topic keeps events: no delivery can be repeated after that.
    const namesMs = 2 * config.topicRetentionDays * DAY_MS;
    timers.every(HOUR_MS, 'forget names of effects', () => forgetNamesBefore(running.storage.store, Instant.plus(clock.now(), -namesMs)));
    const { projector, relay, storage } = running;
    shutdown.stop('background', `${service}: relay`, () => relay.stop());
    shutdown.stop('background', `${service}: projector`, () => projector.stop());
    shutdown.stop('stores', `${service}: storage`, () => storage.close());
  }

  /** Before the application's own bootstrap, which may already read what it has written. */
  onModuleInit(): Promise<void> {
    return this.running.projector.start();
  }

  /** After it. Read models of a new version are built meanwhile; their queries say so until they are ready. */
  async join(startConsumers: () => Promise<unknown>): Promise<void> {
    await startConsumers();
    this.running.relay.start();
  }
}
