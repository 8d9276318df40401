import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Commit, EventStore, type Upcasters } from '@parlance/event-store';
import { Outbox, type Outgoing, RelayCheckpoints } from '@parlance/messaging';
import { KeyCache, SubjectKeys, Vault } from '@parlance/privacy';
import { type ForeignProjection, type Projection, Projector, ReadModels } from '@parlance/read-models';
import { ServiceCalls } from '@parlance/calls';
import { Replicas } from '../health/replicas.ts';
import { ServiceHealth } from '../health/service-health.ts';
import { ServiceHealthController } from '../health/service-health.controller.ts';
import { PublishedController } from '../publishing/published.controller.ts';
import { CommonModule, FILES_HEALTH } from './common.module.ts';
import type { Host } from '../process/host.ts';
import { Lifecycle } from '../process/lifecycle.ts';
import { failureReport } from './failure-report.ts';
import { BrokerTopics, PublishedEventsOfServices } from '../publishing/other-services.ts';
import { PublishedLog } from '../publishing/published-log.ts';
import { ObservedService } from './observed-service.ts';
import { openOutbox } from './outbox.ts';
import { Origins } from '../audit/origins.ts';
import { AuditRecorder } from '@parlance/http';
import { AuditStreams, withAuditEvents } from '../audit/audit-streams.ts';
import { ObjectStoreModule } from './object-store.module.ts';
import { type Storage, STORAGE, StorageModule } from './storage.module.ts';
import { SharedSubjectKeys, userKeyFromIdentity } from '../erasure/subject-keys.ts';
import { Streams } from '../streams.ts';

/** The parts that a service passes to the foundation. */
export interface ServiceParts {
  readonly name: string;
  /** Read models of the service's own log. */
  readonly projections: readonly Projection[];
  /** Read models of other services' public events. */
  readonly foreign?: readonly ForeignProjection[];
  /** Maps a commit to the service's public events. */
  readonly publish: (commit: Commit) => readonly Outgoing[];
  readonly upcasters?: Upcasters;
  /** True for identity, which keeps users' keys. Other services request them. */
  readonly keepsUserKeys?: boolean;
  /** True for a service that stores files. It can inject `ObjectStore`. */
  readonly storesFiles?: boolean;
}

/**
 * Provides a service's event store, read models, publishing, subscriptions, keys and calls. Only the modules imported here choose the
 * adapters of the ports.
 */
@Module({})
export class FoundationModule {
  static async of(host: Host, parts: ServiceParts): Promise<DynamicModule> {
    const { name, projections, foreign = [], publish, upcasters, keepsUserKeys = false, storesFiles = false } = parts;
    const log = host.logging.for(name);
    const cache = new KeyCache();
    const report = failureReport(log, host.outages);
    return {
      module: FoundationModule,
      global: true,
      imports: [
        await CommonModule.of(host, name),
        CqrsModule.forRoot(),
        StorageModule.of(host, { name, projections, upcasters }),
        ...(storesFiles ? [ObjectStoreModule.of(host)] : []),
      ],
      controllers: [PublishedController, ServiceHealthController],
      providers: [
        { provide: FILES_HEALTH, useValue: storesFiles ? host.objects.health : null },
        {
          provide: PublishedLog,
          useFactory: (store: EventStore) => {
            const published = new PublishedLog(store, withAuditEvents(name, publish));
            host.published.enter(name, published);
            return published;
          },
          inject: [EventStore],
        },
        {
          provide: PublishedEventsOfServices,
          useFactory: (calls: ServiceCalls) => new PublishedEventsOfServices(host.published, calls),
          inject: [ServiceCalls],
        },
        {
          provide: Projector,
          useFactory: (store: EventStore, models: ReadModels, published: PublishedEventsOfServices) => {
            const topics = new BrokerTopics(host.broker);
            return new Projector({
              store,
              models,
              projections,
              foreign: { service: name, projections: foreign, topics, published },
              onError: report,
            });
          },
          inject: [EventStore, ReadModels, PublishedEventsOfServices],
        },
        Streams,
        Origins,
        Lifecycle,
        ObservedService,
        Replicas,
        ServiceHealth,
        { provide: AuditRecorder, useClass: AuditStreams },
        {
          provide: Outbox,
          useFactory: (store: EventStore, checkpoints: RelayCheckpoints) =>
            openOutbox(host, {
              name,
              store,
              checkpoints,
              publish: withAuditEvents(name, publish),
              onError: report,
            }),
          inject: [EventStore, RelayCheckpoints],
        },
        {
          provide: SubjectKeys,
          useFactory: async (storage: Storage, calls: ServiceCalls) => {
            if (keepsUserKeys) return storage.openSubjectKeys();
            const userKey = cache.before((id) => userKeyFromIdentity(calls, host.master, id));
            return new SharedSubjectKeys(await storage.openSubjectKeys(userKey), userKey);
          },
          inject: [STORAGE, ServiceCalls],
        },
        { provide: Vault, useFactory: (keys: SubjectKeys) => new Vault(keys, cache), inject: [SubjectKeys] },
      ],
      exports: [
        CqrsModule,
        StorageModule,
        ...(storesFiles ? [ObjectStoreModule] : []),
        Projector,
        PublishedEventsOfServices,
        Streams,
        AuditRecorder,
        Outbox,
        SubjectKeys,
        Vault,
        Origins,
        Lifecycle,
        ServiceHealth,
        FILES_HEALTH,
      ],
    };
  }
}
