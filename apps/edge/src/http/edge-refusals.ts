import type { Refusal } from '@parlance/decider';
import { RequestContext, type RefusedAction, type Refusals } from '@parlance/service-kit';
import { holderOf } from './plain-address.ts';
import { RequestLimit } from './request-limit.ts';

/** Of one address that is not let in, so many refusals a minute go on record: who hammers at the door is not to fill the disk. */
const perMinute = 6;

/** What an operation is in the words of the audit log. */
export type Audited = Pick<RefusedAction, 'action' | 'resourceType'>;

/** Brings to the audit log what the edge refuses before a service sees it. */
export class EdgeRefusals {
  private readonly limit: RequestLimit;

  constructor(
    private readonly refusals: Refusals,
    now: () => number = () => performance.now(),
  ) {
    this.limit = new RequestLimit(perMinute, now);
  }

  /** Of somebody at the door whose address is not allowed. */
  async atTheDoor(refusal: Refusal): Promise<void> {
    if (refusal.kind !== 'forbidden') return;
    if (this.limit.take(holderOf(RequestContext.current()?.ip ?? '')) > 0) return;
    await this.record({ action: 'reach_service', resourceType: 'service' }, refusal);
  }

  /** Of somebody who is known, on the way to something that is audited. */
  async onTheWay(audited: Audited | null, error: unknown): Promise<void> {
    const { kind } = error as Partial<Refusal>;
    if (audited !== null && (kind === 'forbidden' || kind === 'conflict')) await this.record(audited, error as Refusal);
  }

  private record(audited: Audited, { code, message }: Refusal): Promise<void> {
    return this.refusals.record({ ...audited, resourceId: null, code, message });
  }
}
