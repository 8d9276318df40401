import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host } from '@parlance/foundation';
import { AuditTrailCommands } from './commands/audit-trail.ts';
import { AuditLogController } from './http/audit-log.controller.ts';
import { CostsController } from './http/costs.controller.ts';
import { EraseNamesWhenUserErased } from './policies/erase-names-when-user-erased.ts';
import { ExportAuditHead } from './workflows/export-audit-head.ts';
import { KeyAuditTrailOnStart } from './policies/key-audit-trail-on-start.ts';
import { RecordAuditEntryWhenSomethingWasDone } from './policies/record-audit-entry-when-something-was-done.ts';
import { auditLog, AuditEntries } from './projections/audit-log.ts';
import { AuditLogVerified } from './projections/audit-verification.ts';
import { NamesErasedOf, directory, NamesOf } from './projections/directory.ts';
import { spend, SpendOfMonth } from './projections/spend.ts';

@Module({})
export class AnalyticsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: AnalyticsModule,
      imports: [
        await FoundationModule.of(host, { name: 'analytics', projections: [auditLog], foreign: [spend, directory], publish: () => [] }),
      ],
      controllers: [AuditLogController, CostsController, RecordAuditEntryWhenSomethingWasDone, ErasuresController],
      providers: [
        AuditTrailCommands,
        ExportAuditHead,
        KeyAuditTrailOnStart,
        ...handlersOf(AuditEntries, AuditLogVerified, SpendOfMonth, NamesOf, NamesErasedOf),
        { provide: Erasing, useClass: EraseNamesWhenUserErased },
      ],
    };
  }
}
