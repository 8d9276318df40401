import { batchCases } from './batch-cases.ts';
import { deliveryCases } from './delivery-cases.ts';
import { failureCases } from './failure-cases.ts';
import type { BrokerHarness, Case } from './harness.ts';

export { type BrokerHarness, type Case, contractRetry } from './harness.ts';
export { type CheckpointsHarness, relayCheckpointsContract } from './relay-checkpoint-cases.ts';

/** The cases that every broker must pass. Run each on a harness; it rejects if the broker breaks the promise in its name. */
export const brokerContract: readonly Case<BrokerHarness>[] = [...deliveryCases, ...batchCases, ...failureCases];
