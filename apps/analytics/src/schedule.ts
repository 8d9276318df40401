import { every, MINUTE, type Schedule, SECOND } from '@parlance/foundation';
import { BudgetLending } from './workflows/budget-lending.ts';
import { WebhookDelivery } from './workflows/deliveries/webhook-delivery.ts';
import { ExportAuditHead } from './workflows/export-audit-head.ts';
import { DueExports } from './workflows/exports/due-exports.ts';
import { ExportQueries } from './workflows/exports/export-queries.ts';
import { ExportRetention } from './workflows/exports/export-retention.ts';
import { KeptLists } from './workflows/kept-lists.ts';
import { NotificationWatch } from './workflows/notifications/notification-watch.ts';

export const schedule: Schedule = [
  every(SECOND / 2, 'start deliveries to webhooks', WebhookDelivery, (delivery) => delivery.round(), {
    stop: (delivery) => delivery.stop(),
    rests: (delivery) => delivery.isFinished,
  }),
  every(SECOND / 2, 'deliver events to webhooks', WebhookDelivery, (delivery) => delivery.deliver(), {
    rests: (delivery) => delivery.isIdle,
  }),
  // The rest of a block can be spent again once its replies have ended, or the process that borrowed it is lost.
  every(SECOND, 'settle blocks of budgets', BudgetLending, (lending) => lending.settle(), { rests: () => true }),
  every(2 * SECOND, 'look for new notifications of open streams', NotificationWatch, (watch) => watch.look(), {
    rests: (watch) => watch.isIdle,
  }),
  // Exports are written when their hours are over, and again after late events or erasures.
  every(5 * SECOND, 'write exports', DueExports, (exports) => exports.write(), { rests: (exports) => exports.hasNone }),
  every(5 * MINUTE, 'remove exports by retention rules', ExportRetention, (retention) => retention.removeOld()),
  every(5 * MINUTE, 'remove old exports', DueExports, (exports) => exports.removeOld()),
  every(5 * MINUTE, 'remove old copies of exports', ExportQueries, (queries) => queries.removeOldCopies()),
  every(10 * MINUTE, 'remove lists whose pages have been read', KeptLists, (lists) => lists.removeOld()),
  every(
    (config) => config.auditHeadSeconds * SECOND,
    'export the head of the audit log',
    ExportAuditHead,
    (head) => head.export(),
  ),
];
