import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, type Host } from '@parlance/foundation';
import { AuditTrailCommands } from './commands/audit-trail.ts';
import { publishAnalytics } from './contracts/analytics-events.ts';
import { AdminBudgetsController } from './http/admin-budgets.controller.ts';
import { AdminExportsController } from './http/admin-exports.controller.ts';
import { AuditLogController } from './http/audit-log.controller.ts';
import { BadRatingsController } from './http/bots/bad-ratings.controller.ts';
import { BotInsightsController } from './http/bots/bot-insights.controller.ts';
import { BotQualityController } from './http/bots/bot-quality.controller.ts';
import { BotListsController } from './http/bots/bot-lists.controller.ts';
import { CostEntries } from './http/costs/cost-entries.ts';
import { CostPeriodsController } from './http/costs/cost-periods.controller.ts';
import { SplitEntries } from './http/costs/split-entries.ts';
import { CostsController } from './http/costs/costs.controller.ts';
import { HealthController } from './http/health.controller.ts';
import { InternalBudgetsController } from './http/internal-budgets.controller.ts';
import { InternalExportsController } from './http/internal-exports.controller.ts';
import { InternalImportsController } from './http/internal-imports.controller.ts';
import { OwnUsageController } from './http/own-usage.controller.ts';
import { BudgetAnswers } from './http/budget-answers.ts';
import { TokenCostsController } from './http/costs/token-costs.controller.ts';
import { UsersController } from './http/users.controller.ts';
import { ExportsModule } from './exports.module.ts';
import { notificationParts } from './notifications.ts';
import { OutdateExportsWhenConversationDeleted } from './policies/outdate-exports-when-conversation-deleted.ts';
import { EraseNamesWhenUserErased } from './policies/erase-names-when-user-erased.ts';
import { KnownSubjects } from './workflows/known-subjects.ts';
import { EarlierAmounts } from './workflows/earlier-amounts.ts';
import { ExportAuditHead } from './workflows/export-audit-head.ts';
import { KeyAuditTrailOnStart } from './policies/key-audit-trail-on-start.ts';
import { RecordChangedConfigurationOnStart } from './policies/record-changed-configuration-on-start.ts';
import { RecordAuditEntryWhenSomethingWasDone } from './policies/record-audit-entry-when-something-was-done.ts';
import { auditLog } from './projections/audit-log.ts';
import { budgets } from './projections/budgets.ts';
import { directory } from './projections/directory.ts';
import { exportIndex } from './projections/exports/export-index.ts';
import { exports } from './projections/exports/export-rows.ts';
import { notificationReadRows } from './projections/notifications/notification-reads.ts';
import { notifications } from './projections/notifications/notifications.ts';
import { spend } from './projections/spend.ts';
import { publishedBots } from './projections/published-bots.ts';
import { KeptFigures } from './projections/in-window/kept-figures.ts';
import { KeptUsersOfBots } from './projections/in-window/users-of-bot.ts';
import { BotListing } from './workflows/bot-listing.ts';
import { BudgetLending } from './workflows/budget-lending.ts';
import { DueExports } from './workflows/exports/due-exports.ts';
import { ExportErasure } from './workflows/exports/export-erasure.ts';
import { ExportRetention } from './workflows/exports/export-retention.ts';
import { ExportQueries } from './workflows/exports/export-queries.ts';
import { ExportWriter } from './workflows/exports/export-writer.ts';
import { HourRows } from './workflows/exports/hour-rows.ts';
import { CollectHealth } from './workflows/collect-health.ts';
import { KeptLists } from './workflows/kept-lists.ts';
import { SubjectNames } from './workflows/subject-names.ts';
import { UserListing } from './workflows/user-listing.ts';
import { webhooks } from './projections/webhooks/webhooks.ts';
import { WebhooksModule } from './webhooks.module.ts';

@Module({})
export class AnalyticsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: AnalyticsModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'analytics',
          projections: [auditLog, budgets, exports, webhooks, notificationReadRows],
          foreign: [spend, directory, publishedBots, exportIndex, notifications],
          publish: publishAnalytics,
          storesFiles: true,
        }),
        ExportsModule.of(host),
        WebhooksModule.of(host),
      ],
      controllers: [
        AdminBudgetsController,
        AdminExportsController,
        InternalBudgetsController,
        InternalExportsController,
        InternalImportsController,
        AuditLogController,
        BadRatingsController,
        BotInsightsController,
        BotQualityController,
        BotListsController,
        CostsController,
        HealthController,
        CostPeriodsController,
        OwnUsageController,
        TokenCostsController,
        UsersController,
        RecordAuditEntryWhenSomethingWasDone,
        OutdateExportsWhenConversationDeleted,
        ErasuresController,
        ...notificationParts.controllers,
      ],
      providers: [
        AuditTrailCommands,
        BudgetLending,
        ExportAuditHead,
        CostEntries,
        SplitEntries,
        BudgetAnswers,
        EarlierAmounts,
        KnownSubjects,
        CollectHealth,
        BotListing,
        KeptLists,
        SubjectNames,
        UserListing,
        { provide: KeptFigures, useFactory: () => new KeptFigures() },
        { provide: KeptUsersOfBots, useFactory: () => new KeptUsersOfBots() },
        KeyAuditTrailOnStart,
        RecordChangedConfigurationOnStart,
        HourRows,
        ExportWriter,
        DueExports,
        ExportErasure,
        ExportRetention,
        ExportQueries,
        ...notificationParts.providers,
        { provide: Erasing, useClass: EraseNamesWhenUserErased },
      ],
    };
  }
}
