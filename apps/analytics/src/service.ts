import type { Service } from '@parlance/foundation';
import { handlers } from './bus.ts';
import { AnalyticsModule } from './analytics.module.ts';
import { namedObjects } from './adapters/exports/named-exports.ts';
import { schedule } from './schedule.ts';

export { type AuditHead, type Verdict, verifyAuditLog } from './projections/audit-verification.ts';
export { AuditChain, type Broken, type ChainHashes } from './domain/audit-chain.ts';
export { type AuditTrailEvent, AUDIT_TRAIL_STREAM, chained } from './domain/audit-trail.ts';
export { chainHashes } from './commands/chain-hashes.ts';
export { NoAuditHead, readAuditHead } from './adapters/audit-head-file.ts';

export const analytics: Service = { name: 'analytics', handlers, module: (host) => AnalyticsModule.of(host), schedule, namedObjects };
