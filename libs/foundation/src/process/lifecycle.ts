import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { forgetNamesBefore } from '@parlance/event-store';
import { Outbox } from '@parlance/messaging';
import { Projector } from '@parlance/read-models';
import { Clock } from '../clock.ts';
import type { Host } from './host.ts';
import { HOST, SERVICE } from '../wiring/common.module.ts';
import { type Storage, STORAGE } from '../wiring/storage.module.ts';
import { Timers } from '../timers.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts a service's projector and outbox, and registers the order in which its background work stops. */
@Injectable()
export class Lifecycle implements OnModuleInit {
  constructor(
    @Inject(HOST) { shutdown, config }: Host,
    @Inject(SERVICE) service: string,
    @Inject(STORAGE) storage: Storage,
    private readonly projector: Projector,
    private readonly outbox: Outbox,
    timers: Timers,
    clock: Clock,
  ) {
    // Topics, also those of redrives, keep events for at most one and a half times the retention, so then no delivery can be repeated.
    const namesMs = 2 * config.topicRetentionDays * DAY_MS;
    timers.every(HOUR_MS, 'forget names of effects', () => forgetNamesBefore(storage.store, Instant.plus(clock.now(), -namesMs)));
    shutdown.stop('background', `${service}: outbox`, () => outbox.stop());
    shutdown.stop('background', `${service}: projector`, () => projector.stop());
    shutdown.stop('stores', `${service}: storage`, () => storage.close());
  }

  /**
   * Runs before `onApplicationBootstrap` and before the consumers start, because services may write events and read their own writes there. New
   * versions of read models may still be building; queries of these are refused until they are ready.
   */
  async onModuleInit(): Promise<void> {
    await this.projector.start();
    this.outbox.start();
    await this.outbox.firstClaim();
  }
}
