import { type DynamicModule, Module } from '@nestjs/common';
import { RevocationWatcher } from '@parlance/revocation';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host, HTTP_TARGETS, KeepsNothing } from '@parlance/foundation';
import type { HttpTargets } from '@parlance/calls/http-targets';
import { AccessTokenVerifier } from './adapters/access-token-verifier.ts';
import { openForward } from './adapters/forwarding/open-forward.ts';
import { ServiceForward } from './adapters/forwarding/service-forward.ts';
import { IdentityRevocationWatcher } from './adapters/identity-revocation-watcher.ts';
import { ServiceDocuments } from './adapters/service-documents.ts';
import { ExecuteRememberedRequest } from './commands/aggregates.ts';
import { AnswerCasing } from './http/casing/answer-casing.ts';
import { AnswerSeals } from './http/idempotency/answer-seals.ts';
import { AnswerHeaders } from './http/answers/answer-headers.ts';
import { Authentication } from './http/authentication/authentication.ts';
import { CredentialCheck } from './http/authentication/credential-check.ts';
import { SignedFiles } from './http/files/signed-files.ts';
import { ConnectionLimit } from './http/limits/connection-limit.ts';
import { DocumentsController } from './http/documents/documents.controller.ts';
import { AddressCheck } from './http/limits/address-check.ts';
import { RefusalAudit } from './http/routing/refusal-audit.ts';
import { Gateway } from './http/routing/gateway.ts';
import { Idempotency } from './http/idempotency/idempotency.ts';
import { SessionCheck } from './http/authentication/session-check.ts';
import { PublishedApis } from './http/routing/published-apis.ts';
import { RequestLimits } from './http/limits/request-limits.ts';
import { RequestFingerprints } from './http/idempotency/request-fingerprints.ts';
import { ForgetAnswersWhenTheyExpire } from './policies/forget-answers-when-they-expire.ts';
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
        ...handlersOf(ExecuteRememberedRequest),
        AccessTokenVerifier,
        AnswerCasing,
        AnswerHeaders,
        AnswerSeals,
        Authentication,
        CredentialCheck,
        ConnectionLimit,
        AddressCheck,
        RefusalAudit,
        Gateway,
        Idempotency,
        SessionCheck,
        PublishedApis,
        RequestFingerprints,
        RequestLimits,
        ServiceDocuments,
        ForgetAnswersWhenTheyExpire,
        LearnRoutesFromServices,
        WatchWhatIdentityRevokes,
        // Answers that are remembered are sealed with the keys of their users, which identity destroys.
        { provide: Erasing, useClass: KeepsNothing },
        {
          // A factory, because the configuration decides which adapter is loaded.
          provide: ServiceForward,
          useFactory: (targets: HttpTargets | null) => openForward(host, targets),
          inject: [HTTP_TARGETS],
        },
        { provide: RevocationWatcher, useClass: IdentityRevocationWatcher },
        {
          provide: SignedFiles,
          useFactory: (limits: RequestLimits) => new SignedFiles(host.objects.door, limits),
          inject: [RequestLimits],
        },
      ],
    };
  }
}
