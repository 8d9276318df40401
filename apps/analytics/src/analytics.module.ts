import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host } from '@parlance/foundation';
import { ExecuteBudget } from './commands/aggregates.ts';
import { AuditTrailCommands } from './commands/audit-trail.ts';
import { publishAnalytics } from './contracts/analytics-events.ts';
import { AdminBudgetsController } from './http/admin-budgets.controller.ts';
import { AuditLogController } from './http/audit-log.controller.ts';
import { CostsController } from './http/costs.controller.ts';
import { InternalBudgetsController } from './http/internal-budgets.controller.ts';
import { EraseNamesWhenUserErased } from './policies/erase-names-when-user-erased.ts';
import { ExportAuditHead } from './workflows/export-audit-head.ts';
import { KeyAuditTrailOnStart } from './policies/key-audit-trail-on-start.ts';
import { RecordAuditEntryWhenSomethingWasDone } from './policies/record-audit-entry-when-something-was-done.ts';
import { SettleBlocksWhenRepliesHaveEnded } from './policies/settle-blocks-when-replies-have-ended.ts';
import { auditLog, AuditEntries } from './projections/audit-log.ts';
import { AuditLogVerified } from './projections/audit-verification.ts';
import { BudgetList, budgets, CountBudgets, LendingBudgets } from './projections/budgets.ts';
import { SpentIn, UsesOf } from './projections/budget-spend.ts';
import { NamesErasedOf, directory, NamesOf } from './projections/directory.ts';
import { spend, SpendOfMonth } from './projections/spend.ts';
import { BudgetLending } from './workflows/budget-lending.ts';

@Module({})
export class AnalyticsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: AnalyticsModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'analytics',
          projections: [auditLog, budgets],
          foreign: [spend, directory],
          publish: publishAnalytics,
        }),
      ],
      controllers: [
        AdminBudgetsController,
        InternalBudgetsController,
        AuditLogController,
        CostsController,
        RecordAuditEntryWhenSomethingWasDone,
        ErasuresController,
      ],
      providers: [
        AuditTrailCommands,
        BudgetLending,
        SettleBlocksWhenRepliesHaveEnded,
        ExportAuditHead,
        KeyAuditTrailOnStart,
        ...handlersOf(
          ExecuteBudget,
          BudgetList,
          CountBudgets,
          LendingBudgets,
          SpentIn,
          UsesOf,
          AuditEntries,
          AuditLogVerified,
          SpendOfMonth,
          NamesOf,
          NamesErasedOf,
        ),
        { provide: Erasing, useClass: EraseNamesWhenUserErased },
      ],
    };
  }
}
