import { aggregate } from '../bus.ts';
import { configuration, configurationStream } from '../domain/configuration.ts';
import { budget, budgetStream } from '../domain/budget.ts';
import { exporting, exportStream } from '../domain/export.ts';
import { notificationReads, notificationReadsStream } from '../domain/notification-reads.ts';
import { webhook, webhookStream } from '../domain/webhook.ts';
import { redrive, redriveStream } from '../domain/redrive.ts';

export const ExecuteBudget = aggregate('ExecuteBudget', budget, budgetStream);
export const ExecuteConfiguration = aggregate('ExecuteConfiguration', configuration, configurationStream);
export const ExecuteExport = aggregate('ExecuteExport', exporting, exportStream);
export const ExecuteNotificationReads = aggregate('ExecuteNotificationReads', notificationReads, notificationReadsStream);
export const ExecuteWebhook = aggregate('ExecuteWebhook', webhook, webhookStream);
export const ExecuteRedrive = aggregate('ExecuteRedrive', redrive, redriveStream);
