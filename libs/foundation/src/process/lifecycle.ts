import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { forgetNamesBefore } from '@parlance/event-store';
import { Relay } from '@parlance/messaging';
import { Projector } from '@parlance/read-models';
import { Clock } from '../clock.ts';
import type { Host } from './host.ts';
import { HOST, SERVICE } from '../wiring/common.module.ts';
import { type Storage, STORAGE } from '../wiring/storage.module.ts';
import { Timers } from '../timers.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts what runs beside requests, in an order in which nothing is missed, and says in which order it is stopped. */
@Injectable()
export class Lifecycle implements OnModuleInit {
  constructor(
    @Inject(HOST) { shutdown, config }: Host,
    @Inject(SERVICE) service: string,
    @Inject(STORAGE) storage: Storage,
    private readonly projector: Projector,
    private readonly relay: Relay,
    timers: Timers,
    clock: Clock,
  ) {
    // Twice as long as a topic keeps events: no delivery can be repeated after that.
    const namesMs = 2 * config.topicRetentionDays * DAY_MS;
    timers.every(HOUR_MS, 'forget names of effects', () => forgetNamesBefore(storage.store, Instant.plus(clock.now(), -namesMs)));
    shutdown.stop('background', `${service}: relay`, () => relay.stop());
    shutdown.stop('background', `${service}: projector`, () => projector.stop());
    shutdown.stop('stores', `${service}: storage`, () => storage.close());
  }

  /** Before the application's own bootstrap, which may already read what it has written. */
  onModuleInit(): Promise<void> {
    return this.projector.start();
  }

  /** After it. Read models of a new version are built meanwhile; their queries say so until they are ready. */
  async join(startConsumers: () => Promise<unknown>): Promise<void> {
    await startConsumers();
    this.relay.start();
  }
}
