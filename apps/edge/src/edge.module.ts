import { type DynamicModule, Module } from '@nestjs/common';
import { RevocationWatcher } from '@parlance/revocation';
import { addressSecret, Erasing, ErasuresController, FoundationModule, type Host, HTTP_TARGETS, KeepsNothing } from '@parlance/foundation';
import type { HttpTargets } from '@parlance/calls/http-targets';
import { AccessTokenVerifier } from './adapters/access-token-verifier.ts';
import { DeploymentProbe } from './adapters/deployment-probe.ts';
import { openForward } from './adapters/forwarding/open-forward.ts';
import { ServiceForward } from './adapters/forwarding/service-forward.ts';
import { IdentityRevocationWatcher } from './adapters/identity-revocation-watcher.ts';
import { PersonalTokens } from './adapters/personal-tokens.ts';
import { PublicationRevocationWatcher } from './adapters/publication-revocation-watcher.ts';
import { PublishedCopies } from './adapters/published-copies.ts';
import { ServiceDocuments } from './adapters/service-documents.ts';
import { StoredFiles } from './adapters/stored-files.ts';
import { AnswerCasing } from './http/casing/answer-casing.ts';
import { AnswerSeals } from './http/idempotency/answer-seals.ts';
import { AnswerHeaders } from './http/answers/answer-headers.ts';
import { Authentication } from './http/authentication/authentication.ts';
import { PersonalAccess } from './http/authentication/personal-access.ts';
import { TokenUses } from './http/authentication/token-uses.ts';
import { CredentialCheck } from './http/authentication/credential-check.ts';
import { IssuedAddresses } from './http/files/issued-addresses.ts';
import { SignedFiles } from './http/files/signed-files.ts';
import { ConsolePages } from './http/console/console-pages.ts';
import { ConnectionLimit } from './http/limits/connection-limit.ts';
import { EdgeHealthController } from './http/documents/edge-health.controller.ts';
import { DocumentsController } from './http/documents/documents.controller.ts';
import { AddressCheck } from './http/limits/address-check.ts';
import { RefusalAudit } from './http/routing/refusal-audit.ts';
import { FastPath } from './http/routing/fast-path.ts';
import { HandOver } from './http/routing/hand-over.ts';
import { Gateway } from './http/routing/gateway.ts';
import { Idempotency } from './http/idempotency/idempotency.ts';
import { ApiLimits } from './http/published/api-limits.ts';
import { BorrowedApiLimits } from './http/published/borrowed-api-limits.ts';
import { ClientRepeats } from './http/published/client-repeats.ts';
import { LimitCalls, PublicationLimitCalls } from './http/published/limit-calls.ts';
import { RefusalForms } from './http/answers/refusal-forms.ts';
import { PublishedAccess } from './http/published/published-access.ts';
import { PublishedDocumentController } from './http/published/published-document.controller.ts';
import { PublishedAdmission } from './http/published/published-admission.ts';
import { PublishedFastPath } from './http/published/published-fast-path.ts';
import { PublishedGateway } from './http/published/published-gateway.ts';
import { RecentRequests } from './http/published/recent-requests.ts';
import { PublishedStreams } from './http/published/published-streams.ts';
import { SessionCheck } from './http/authentication/session-check.ts';
import { SessionStreams } from './http/authentication/session-streams.ts';
import { PublishedApis } from './http/routing/published-apis.ts';
import { RequestLimits } from './http/limits/request-limits.ts';
import { RepeatsInTurn } from './http/idempotency/repeats-in-turn.ts';
import { RequestFingerprints } from './http/idempotency/request-fingerprints.ts';
import { LearnRoutesFromServices } from './policies/learn-routes-from-services.ts';
import { WatchWhatServicesRevoke } from './policies/watch-what-services-revoke.ts';

@Module({})
export class EdgeModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: EdgeModule,
      imports: [await FoundationModule.of(host, { name: 'edge', projections: [], publish: () => [] })],
      controllers: [DocumentsController, EdgeHealthController, PublishedDocumentController, ErasuresController],
      providers: [
        AccessTokenVerifier,
        AnswerCasing,
        AnswerHeaders,
        AnswerSeals,
        Authentication,
        CredentialCheck,
        ConnectionLimit,
        ConsolePages,
        AddressCheck,
        RefusalAudit,
        FastPath,
        Gateway,
        HandOver,
        Idempotency,
        SessionCheck,
        SessionStreams,
        RefusalForms,
        PersonalAccess,
        PersonalTokens,
        TokenUses,
        DeploymentProbe,
        PublicationRevocationWatcher,
        PublishedAccess,
        PublishedAdmission,
        PublishedFastPath,
        PublishedApis,
        PublishedCopies,
        PublishedGateway,
        PublishedStreams,
        ClientRepeats,
        RecentRequests,
        RepeatsInTurn,
        RequestFingerprints,
        RequestLimits,
        ServiceDocuments,
        StoredFiles,
        IssuedAddresses,
        LearnRoutesFromServices,
        WatchWhatServicesRevoke,
        // Remembered answers are sealed with the keys of their users, which identity destroys.
        { provide: Erasing, useClass: KeepsNothing },
        {
          // A factory, because the configuration decides which adapter is loaded.
          provide: ServiceForward,
          useFactory: (targets: HttpTargets | null) => openForward(host, targets),
          inject: [HTTP_TARGETS],
        },
        { provide: LimitCalls, useClass: PublicationLimitCalls },
        { provide: BorrowedApiLimits, useFactory: (calls: LimitCalls) => new BorrowedApiLimits(calls), inject: [LimitCalls] },
        { provide: ApiLimits, useExisting: BorrowedApiLimits },
        { provide: RevocationWatcher, useClass: IdentityRevocationWatcher },
        {
          provide: SignedFiles,
          useFactory: (stored: StoredFiles, issued: IssuedAddresses, limits: RequestLimits) =>
            new SignedFiles(host.objects.door ?? stored.door(addressSecret(host.master)), issued, limits),
          inject: [StoredFiles, IssuedAddresses, RequestLimits],
        },
      ],
    };
  }
}
