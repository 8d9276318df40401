import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceCalls } from '@parlance/calls';
import type { Ledger } from './ledger.ts';
import { withPatience } from './writing/product.ts';

interface Totals {
  readonly conversations: number;
  readonly messages?: number;
  readonly nano_dollars: number;
}

/** The figures of the product, and their differences from the data that this run has imported. */
export interface Compared {
  readonly inference: Totals;
  readonly analytics: Totals;
  readonly differences: readonly string[];
}

/** Analytics reads the events of an import. The comparison stops waiting after this time without progress. */
const PATIENCE_MILLIS = 30_000;
const LOOK_MILLIS = 100;
/** Reasons of conversations that an earlier run imported and that were deleted later. The totals of the product still include them. */
const GONE = ['conversation_deleted', 'conversation_id_taken', 'user_erased', 'user_unknown'];

/** Compares the import of this run with the rows of the services. */
export async function compare(calls: ServiceCalls, name: string, { taken, reasons }: Ledger): Promise<Compared> {
  const inference = await totalsOf(calls, 'inference', name);
  const analytics = await settled(calls, name, inference);
  const hasGone = GONE.some((reason) => (reasons[reason] ?? 0) > 0);
  const differences: string[] = [];
  const expect = (what: string, expected: number, found: number, mayBeMore: boolean) => {
    if (found === expected || (mayBeMore && found > expected)) return;
    differences.push(`${what} ${found} of ${expected}`);
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

async function settled(calls: ServiceCalls, name: string, expected: Totals): Promise<Totals> {
  let since = performance.now();
  for (let previous = -1; ;) {
    const found = await totalsOf(calls, 'analytics', name);
    if (found.conversations >= expected.conversations || performance.now() - since > PATIENCE_MILLIS) return found;
    if (found.conversations !== previous) [previous, since] = [found.conversations, performance.now()];
    await delay(LOOK_MILLIS);
  }
}
