import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceCalls } from '@parlance/calls';
import type { Ledger } from './ledger.ts';
import { withPatience } from './writing/product.ts';

interface Totals {
  readonly conversations: number;
  readonly messages?: number;
  readonly nano_dollars: number;
}

/** The product's figures, and how they differ from what this run has imported. */
export interface Compared {
  readonly inference: Totals;
  readonly analytics: Totals;
  readonly differences: readonly string[];
}

/** Analytics learns of an import by events. After so long without progress, the comparison stops waiting. */
const PATIENCE_MILLIS = 30_000;
const LOOK_MILLIS = 100;
/** Reasons for conversations that an earlier run imported and that were deleted since. The product's totals still include them. */
const GONE = ['conversation_deleted', 'conversation_id_taken', 'user_erased', 'user_unknown'];

/** Asks the services for what this run has imported, each from its own rows. */
export async function compare(calls: ServiceCalls, name: string, { taken, reasons }: Ledger): Promise<Compared> {
  const inference = await totalsOf(calls, 'inference', name);
  const analytics = await settled(calls, name, inference);
  const hasGone = GONE.some((reason) => (reasons[reason] ?? 0) > 0);
  const differences: string[] = [];
  const expect = (what: string, wanted: number, found: number, mayBeMore: boolean) => {
    if (found === wanted || (mayBeMore && found > wanted)) return;
    differences.push(`${what} ${found} of ${wanted}`);
  };
  expect('conversations', taken.conversations, inference.conversations, hasGone);
  expect('messages', taken.messages, inference.messages ?? 0, hasGone);
  expect('nano-dollars', taken.nano_dollars, inference.nano_dollars, hasGone);
  expect('charged conversations', inference.conversations, analytics.conversations, false);
  expect('charged nano-dollars', inference.nano_dollars, analytics.nano_dollars, false);
  return { inference, analytics, differences };
}

const totalsOf = (calls: ServiceCalls, service: string, name: string) =>
  withPatience(() => calls.get<Totals>(service, `/internal/imports/${name}`));

async function settled(calls: ServiceCalls, name: string, wanted: Totals): Promise<Totals> {
  let since = performance.now();
  for (let before = -1; ;) {
    const found = await totalsOf(calls, 'analytics', name);
    if (found.conversations >= wanted.conversations || performance.now() - since > PATIENCE_MILLIS) return found;
    if (found.conversations !== before) [before, since] = [found.conversations, performance.now()];
    await delay(LOOK_MILLIS);
  }
}
