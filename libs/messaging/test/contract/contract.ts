import { batchCases } from './batch-cases.ts';
import { deliveryCases } from './delivery-cases.ts';
import { failureCases } from './failure-cases.ts';
import type { BrokerHarness, Case } from './harness.ts';

export { type BrokerHarness, type Case, contractRetry } from './harness.ts';
export { type CheckpointsHarness, relayCheckpointsContract } from './relay-checkpoint-cases.ts';

/** What every broker keeps to. Run each case on a harness; it rejects when the promise its name makes is broken. */
export const brokerContract: readonly Case<BrokerHarness>[] = [...deliveryCases, ...batchCases, ...failureCases];
