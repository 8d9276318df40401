import type { Service } from '@parlance/foundation';
import { AuditRecorder } from '@parlance/http';
import { AnalyticsModule } from '../src/analytics.module.ts';
import { analytics } from '../src/service.ts';

/** The service without audit entries for reads, because the reads of verifications would be among the entries that a spec counts. */
export const withUnrecordedReads: Service = {
  ...analytics,
  module: async (host) => {
    const inner = await AnalyticsModule.of(host);
    const useFactory = (audit: AuditRecorder) => Object.assign(audit, { viewed: () => Promise.resolve() });
    return { ...inner, providers: [...inner.providers!, { provide: 'unrecorded reads', inject: [AuditRecorder], useFactory }] };
  },
};
