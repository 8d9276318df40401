import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, type Host, RevocationsController, ServedRevocations } from '@parlance/foundation';
import { RevocationFeed } from '@parlance/revocation';
import { BotReservations } from './adapters/bot-reservations.ts';
import { publishPublications } from './contracts/publication-events.ts';
import { ApiKeyController } from './http/api-key.controller.ts';
import { InternalApiKeysController } from './http/internal-api-keys.controller.ts';
import { InternalLimitsController } from './http/internal-limits.controller.ts';
import { InternalDeploymentsController } from './http/internal-deployments.controller.ts';
import { InternalPublishedController } from './http/internal-published.controller.ts';
import { InternalUsageController } from './http/internal-usage.controller.ts';
import { PublicationController } from './http/publication.controller.ts';
import { UsageController } from './http/usage.controller.ts';
import { VisiblePublications } from './http/visible-publications.ts';
import { ErasePublicationsWhenUserErased } from './policies/erase-publications-when-user-erased.ts';
import { RemovePublicationWhenBotDeleted } from './policies/remove-publication-when-bot-deleted.ts';
import { apiKeys } from './projections/api-keys.ts';
import { apiUsage } from './projections/api-usage.ts';
import { knownBots } from './projections/known-bots.ts';
import { publications } from './projections/publications.ts';
import { revocations } from './projections/revocations.ts';
import { ApiKeys } from './workflows/api-keys.ts';
import { DeploymentSteps } from './workflows/deployment-steps.ts';
import { Deployments } from './workflows/deployments.ts';
import { LimitLending } from './workflows/limit-lending.ts';
import { UsageReports } from './workflows/usage-reports.ts';

@Module({})
export class PublicationModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: PublicationModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'publication',
          projections: [publications, apiKeys, apiUsage, revocations],
          foreign: [knownBots],
          publish: publishPublications,
        }),
      ],
      controllers: [
        PublicationController,
        ApiKeyController,
        InternalDeploymentsController,
        UsageController,
        InternalPublishedController,
        InternalUsageController,
        InternalLimitsController,
        InternalApiKeysController,
        RevocationsController,
        ErasuresController,
        RemovePublicationWhenBotDeleted,
      ],
      providers: [
        VisiblePublications,
        BotReservations,
        DeploymentSteps,
        Deployments,
        ApiKeys,
        LimitLending,
        UsageReports,
        { provide: RevocationFeed, useClass: ServedRevocations },
        { provide: Erasing, useClass: ErasePublicationsWhenUserErased },
      ],
    };
  }
}
