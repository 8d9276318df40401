import { type AuditAction, publicEvents } from '@parlance/contracts';

/** The audit entry of each public event that has one. */
export const auditActions: ReadonlyMap<string, (data: never) => AuditAction> = new Map(
  publicEvents.flatMap(({ type, audit }) => (audit === null ? [] : [[type, audit] as const])),
);
