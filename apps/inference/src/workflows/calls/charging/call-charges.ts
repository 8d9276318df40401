import { Injectable } from '@nestjs/common';
import { Clock } from '@parlance/foundation';
import type { ReadAnswer } from '../../../adapters/calls/passed-answer.ts';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import { costAt } from '../../../adapters/pricing/model-prices.ts';
import type { CallStatus } from '../../../domain/calls/call-record.ts';
import type { Usage } from '../../../domain/conversation-events.ts';
import { FREE } from '../call-estimate.ts';
import type { OpenCall } from '../open-call.ts';
import { unpricedIn } from './reported-fees.ts';
import { settledUsage } from './settled-usage.ts';

export interface Charged {
  readonly status: number;
  readonly firstByteMillis: number | null;
  readonly usage: Usage;
  readonly unpriced?: readonly string[];
}

/** Charges calls that have ended. */
@Injectable()
export class CallCharges {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  /** What the answer of a provider is charged with. */
  async of(call: OpenCall, status: number, read: ReadAnswer): Promise<Charged> {
    const firstByteMillis = read.firstByteAt === null ? null : Math.round(read.firstByteAt - call.begunAt);
    const usage = call.isFree ? FREE.usage : await settledUsage(call, read);
    return { status, firstByteMillis, usage, unpriced: unpricedIn(read.report, usage, call.price) };
  }

  /** Records the outcome. Resolves with the cost. */
  async charge(
    call: OpenCall,
    status: CallStatus,
    { status: httpStatus, usage, unpriced = [], firstByteMillis }: Charged,
  ): Promise<number> {
    // The database may be away when the answer ends.
    const costNanoDollars = await this.catalogue.cost(call.model.entry.id, usage, this.clock.now()).catch(() => costAt(call.price, usage));
    return call.end({ status, httpStatus, costNanoDollars, usage, firstByteMillis, ...(unpriced.length > 0 && { unpriced }) });
  }
}

export function statusOf({ failure }: ReadAnswer): CallStatus {
  if (failure === null) return 'completed';
  return failure === 'left' ? 'cancelled' : 'broken';
}
