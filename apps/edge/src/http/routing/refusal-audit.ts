import { Injectable } from '@nestjs/common';
import type { Refusal } from '@parlance/decider';
import { type AuditedAction, AuditRecorder, idIn, type RefusedAction } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import { networkOf } from '../addresses/plain-address.ts';
import { RequestLimit } from '../limits/request-limit.ts';

/** The most refusals recorded per minute for one address. This limits the writes that an address outside the allowlist can cause. */
const RECORDED_PER_MINUTE = 6;

/** The route of a request, with the parameters of its path. */
interface AuditedRequest {
  readonly operation: { readonly audited: AuditedAction | null };
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** Records the edge's refusals in the audit log. */
@Injectable()
export class RefusalAudit {
  private readonly limit = new RequestLimit(RECORDED_PER_MINUTE, () => performance.now());

  constructor(private readonly refusals: AuditRecorder) {}

  /** Records the refusal of an address that is not allowed. */
  async recordRefusedAddress(refusal: Refusal): Promise<void> {
    if (refusal.kind !== 'forbidden') return;
    if (this.limit.take(networkOf(RequestContext.current()?.ip ?? '')) > 0) return;
    await this.record({ action: 'reach_service', resourceType: 'service', resourceId: null }, refusal);
  }

  /** Records the refusal of an audited action. */
  async recordRefusedAction({ operation: { audited }, params }: AuditedRequest, error: unknown): Promise<void> {
    const { kind } = error as Partial<Refusal>;
    if (audited === null || (kind !== 'forbidden' && kind !== 'conflict')) return;
    const { action, resourceType, from } = audited;
    await this.record({ action, resourceType, resourceId: from === undefined ? null : idIn(params, from) }, error as Refusal);
  }

  private record(what: Pick<RefusedAction, 'action' | 'resourceType' | 'resourceId'>, { code, message }: Refusal): Promise<void> {
    return this.refusals.record({ ...what, code, message });
  }
}
