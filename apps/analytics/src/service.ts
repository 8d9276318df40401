import type { Service } from '@parlance/service-kit';
import { AnalyticsModule } from './analytics.module.ts';

export { type AuditTrailEvent, auditTrailStream, chained } from './domain/audit-trail.ts';

export const analytics: Service = { name: 'analytics', module: (host) => AnalyticsModule.of(host) };
