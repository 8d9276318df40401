import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '@parlance/event-store';
import { Outbox } from '@parlance/messaging';
import { type ProjectionLag, Projector } from '@parlance/read-models';
import { Clock } from '../clock.ts';
import type { Host } from '../process/host.ts';
import { Timers } from '../timers.ts';
import { bytesOfBroker } from '../wiring/broker.module.ts';
import { FILES_HEALTH, HOST, SERVICE, VERSION } from '../wiring/common.module.ts';
import { type Storage, STORAGE } from '../wiring/storage.module.ts';
import { type DependencyState, inTime, WatchedDependency } from './dependency-state.ts';
import type { ObjectStoreHealth } from './object-store-health.ts';
import { Replicas } from './replicas.ts';

/** The longest wait for a store or broker, for each part of the answer. */
const PATIENCE_MS = 1_000;
/** How often a service checks its dependencies without a request, so that it knows when one went down. */
const LOOK_MS = 10_000;

/** The state of one service. An unknown value is null. */
export interface ServiceFacts {
  readonly version: string;
  readonly replicas: number | null;
  /** Absent in the answers of earlier versions. */
  readonly silent_replicas?: string[] | null;
  /** The age of the oldest commit of the service's log that is not yet published or not yet in the read models. */
  readonly lag_seconds: number | null;
  /** Events of other services that the service has not handled yet. */
  readonly events_behind: number | null;
  /** Streams that read models have set aside. */
  readonly parked: number | null;
  readonly dead_letters: number | null;
  /** Read models that have stopped. */
  readonly stopped: string[] | null;
  /** Read models that are being built for the first time. */
  readonly building: string[] | null;
  readonly store: DependencyState;
  readonly broker: DependencyState;
  /** Null if the service stores no files, and absent in the answers of earlier versions. */
  readonly object_store?: DependencyState | null;
}

/** Collects the state of a service. A store or broker that does not answer leaves its own values null. */
@Injectable()
export class ServiceHealth {
  private readonly storeState: WatchedDependency;
  private readonly brokerState: WatchedDependency;

  constructor(
    @Inject(HOST) private readonly host: Host,
    @Inject(SERVICE) private readonly service: string,
    @Inject(STORAGE) storage: Storage,
    @Inject(FILES_HEALTH) private readonly files: ObjectStoreHealth | null,
    private readonly store: EventStore,
    private readonly projector: Projector,
    private readonly outbox: Outbox,
    private readonly replicas: Replicas,
    private readonly clock: Clock,
    timers: Timers,
  ) {
    const { broker, config, directory } = host;
    const now = () => clock.now();
    this.storeState = new WatchedDependency(
      () => Promise.all([store.head(), storage.writes.check()]),
      () => storage.bytes(),
      now,
      PATIENCE_MS,
    );
    this.brokerState = new WatchedDependency(
      () => broker.lag(service),
      () => bytesOfBroker(config, directory),
      now,
      PATIENCE_MS,
    );
    timers.every(LOOK_MS, 'look at store and broker', async () => {
      await Promise.all([this.storeState.watch(), this.brokerState.watch()]);
    });
  }

  async facts(): Promise<ServiceFacts> {
    const { broker } = this.host;
    const known = <Value>(work: Promise<Value>) => inTime(PATIENCE_MS, work).catch(() => null);
    const lag = known(this.projector.lag());
    const [store, brokerState, files, replicas, lagSeconds, behind, letters, all] = await Promise.all([
      this.storeState.look(),
      this.brokerState.look(),
      this.files?.state() ?? null,
      known(this.replicas.states()),
      known(this.lagSeconds()),
      known(this.eventsBehind()),
      known(broker.countDeadLetters(this.service)),
      lag,
    ]);
    return {
      version: VERSION,
      replicas: replicas && replicas.live,
      silent_replicas: replicas && replicas.silent,
      lag_seconds: lagSeconds,
      events_behind: behind,
      parked: all && all.reduce((sum, { parked }) => sum + parked, 0),
      dead_letters: letters,
      stopped: namesOf(all, ({ stopped }) => stopped !== null),
      building: namesOf(all, ({ ready, stopped }) => !ready && stopped === null),
      store,
      broker: brokerState,
      object_store: files,
    };
  }

  private async lagSeconds(): Promise<number> {
    const head = await this.store.head();
    const positions = (await this.projector.lag()).flatMap(({ position }) => position ?? []);
    const least = Math.min(await this.outbox.position(), ...positions);
    if (least >= head) return 0;
    const [next] = await this.store.readAll(least, 1);
    return next ? Math.max(0, Math.round(this.clock.now() - next.metadata.at) / 1_000) : 0;
  }

  private async eventsBehind(): Promise<number> {
    const all = await this.projector.lag();
    const groups = [this.service, ...all.flatMap(({ group, ready }) => (group !== null && ready ? group : []))];
    const lags = await Promise.all(groups.map((group) => this.host.broker.lag(group)));
    const unread = all.reduce((sum, { group, behind }) => sum + (group === null ? 0 : behind), 0);
    return lags.flat().reduce((sum, { behind }) => sum + Math.max(0, behind), unread);
  }
}

function namesOf(all: readonly ProjectionLag[] | null, matches: (lag: ProjectionLag) => boolean): string[] | null {
  return all && all.filter(matches).map(({ projection }) => projection);
}
