import { type DynamicModule, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { SubjectKeys, Vault } from '@parlance/privacy';
import { RevocationWatcher } from '@parlance/revocation';
import {
  Clock,
  Erasing,
  ErasuresController,
  FoundationModule,
  handlersOf,
  type Host,
  HTTP_TARGETS,
  KeepsNothing,
  LOGGER,
  Streams,
  Timers,
  VERSION,
} from '@parlance/foundation';
import { Config } from '@parlance/config';
import type { Logger } from '@parlance/observability';
import { AuditRecorder } from '@parlance/http';
import { serviceDocument } from '@parlance/openapi';
import { ServiceCalls } from '@parlance/calls';
import type { HttpTargets } from '@parlance/calls/http-targets';
import { AccessTokenVerifier } from './adapters/access-token-verifier.ts';
import { openForward } from './adapters/forwarding/open-forward.ts';
import { ServiceForward } from './adapters/forwarding/service-forward.ts';
import { IdentityRevocations } from './adapters/identity-revocations.ts';
import { ServiceDocuments } from './adapters/service-documents.ts';
import { ExecuteRememberedRequest } from './commands/aggregates.ts';
import { AnswerCasing } from './http/casing/answer-casing.ts';
import { AnswerSeals } from './http/idempotency/answer-seals.ts';
import { AnswerHeaders } from './http/answers/answer-headers.ts';
import { Authentication } from './http/authentication/authentication.ts';
import { CheckedCredentials } from './http/authentication/checked-credentials.ts';
import { ConnectionLimit } from './http/limits/connection-limit.ts';
import { DocumentsController } from './http/documents/documents.controller.ts';
import { Door } from './http/limits/door.ts';
import { EdgeRefusals } from './http/routing/edge-refusals.ts';
import { Gateway } from './http/routing/gateway.ts';
import { Idempotency } from './http/idempotency/idempotency.ts';
import { LivingSessions } from './http/authentication/living-sessions.ts';
import { PublishedApis } from './http/routing/published-apis.ts';
import { RequestLimits } from './http/limits/request-limits.ts';
import { RequestFingerprints } from './http/idempotency/request-fingerprints.ts';
import { ForgetAnswersWhenTheyAreOver } from './policies/forget-answers-when-they-are-over.ts';
import { LearnRoutesFromServices } from './policies/learn-routes-from-services.ts';
import { WatchWhatIdentityRevokes } from './policies/watch-what-identity-revokes.ts';

@Module({})
export class EdgeModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: EdgeModule,
      imports: [await FoundationModule.of(host, { name: 'edge', projections: [], publish: () => [] })],
      controllers: [DocumentsController, ErasuresController],
      providers: [
        { provide: AccessTokenVerifier, useFactory: (calls: ServiceCalls) => new AccessTokenVerifier(calls), inject: [ServiceCalls] },
        ...handlersOf(ExecuteRememberedRequest),
        // What is remembered of users' requests is sealed with their keys.
        { provide: Erasing, useClass: KeepsNothing },
        {
          provide: ServiceDocuments,
          useFactory: (calls: ServiceCalls, modules: ModulesContainer) =>
            new ServiceDocuments(calls, () => serviceDocument({ get: () => modules }, { title: 'edge', version: VERSION })),
          inject: [ServiceCalls, ModulesContainer],
        },
        {
          provide: AnswerCasing,
          useFactory: (documents: ServiceDocuments, config: Config, log: Logger) => new AnswerCasing(documents, config.wireCase, log),
          inject: [ServiceDocuments, Config, LOGGER],
        },
        {
          provide: AnswerSeals,
          useFactory: (vault: Vault, keys: SubjectKeys, clock: Clock) => new AnswerSeals(vault, keys, clock),
          inject: [Vault, SubjectKeys, Clock],
        },
        {
          provide: ForgetAnswersWhenTheyAreOver,
          useFactory: (seals: AnswerSeals, timers: Timers) => new ForgetAnswersWhenTheyAreOver(seals, timers),
          inject: [AnswerSeals, Timers],
        },
        {
          provide: Idempotency,
          useFactory: (commands: CommandBus, streams: Streams, seals: AnswerSeals, clock: Clock, log: Logger) =>
            new Idempotency(commands, streams, seals, new RequestFingerprints(host.master.derive('request-fingerprints')), clock, log),
          inject: [CommandBus, Streams, AnswerSeals, Clock, LOGGER],
        },
        { provide: EdgeRefusals, useFactory: (refusals: AuditRecorder) => new EdgeRefusals(refusals), inject: [AuditRecorder] },
        { provide: PublishedApis, useFactory: ({ publishedDomain }: Config) => new PublishedApis(publishedDomain), inject: [Config] },
        {
          provide: AnswerHeaders,
          useFactory: (config: Config, published: PublishedApis) => new AnswerHeaders(config, published),
          inject: [Config, PublishedApis],
        },
        {
          provide: Door,
          useFactory: (config: Config, published: PublishedApis, headers: AnswerHeaders, limits: RequestLimits, refusals: EdgeRefusals) =>
            new Door(config, published, headers, limits, (refusal) => refusals.atTheDoor(refusal)),
          inject: [Config, PublishedApis, AnswerHeaders, RequestLimits, EdgeRefusals],
        },
        {
          provide: RevocationWatcher,
          useFactory: (calls: ServiceCalls, vault: Vault) => {
            // Every edge hears of an erasure so, before it is answered: the event reaches only one of them.
            const onRevoked = (key: string) => vault.forget(key);
            const watcher = new RevocationWatcher(new IdentityRevocations(calls), { onRevoked });
            host.shutdown.stop('consumers', 'edge: revocations', () => watcher.stop());
            return watcher;
          },
          inject: [ServiceCalls, Vault],
        },
        {
          provide: WatchWhatIdentityRevokes,
          useFactory: (watcher: RevocationWatcher) => new WatchWhatIdentityRevokes(watcher),
          inject: [RevocationWatcher],
        },
        { provide: LivingSessions, useFactory: (watcher: RevocationWatcher) => new LivingSessions(watcher), inject: [RevocationWatcher] },
        {
          provide: Authentication,
          useFactory: (tokens: AccessTokenVerifier, sessions: LivingSessions, clock: Clock) => new Authentication(tokens, sessions, clock),
          inject: [AccessTokenVerifier, LivingSessions, Clock],
        },
        {
          provide: ConnectionLimit,
          useFactory: (config: Config, headers: AnswerHeaders) =>
            new ConnectionLimit(config.connectionsPerAddress, config.trustedProxies, headers.of(null)),
          inject: [Config, AnswerHeaders],
        },
        { provide: RequestLimits, useFactory: (config: Config) => new RequestLimits(config), inject: [Config] },
        { provide: CheckedCredentials, useFactory: (calls: ServiceCalls) => new CheckedCredentials(calls), inject: [ServiceCalls] },
        {
          provide: ServiceForward,
          useFactory: (targets: HttpTargets | null) => openForward(host, targets),
          inject: [HTTP_TARGETS],
        },
        {
          provide: Gateway,
          useFactory: (
            documents: ServiceDocuments,
            published: PublishedApis,
            authentication: Authentication,
            credentials: CheckedCredentials,
            services: ServiceForward,
            idempotency: Idempotency,
            limits: RequestLimits,
            refusals: EdgeRefusals,
          ) => new Gateway(documents, published, authentication, credentials, services, idempotency, limits, refusals),
          inject: [
            ServiceDocuments,
            PublishedApis,
            Authentication,
            CheckedCredentials,
            ServiceForward,
            Idempotency,
            RequestLimits,
            EdgeRefusals,
          ],
        },
        {
          provide: LearnRoutesFromServices,
          useFactory: (documents: ServiceDocuments, timers: Timers) => new LearnRoutesFromServices(documents, timers),
          inject: [ServiceDocuments, Timers],
        },
      ],
    };
  }
}
