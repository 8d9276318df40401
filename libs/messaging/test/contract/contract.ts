import { batchCases } from './contract/batch-cases.ts';
import { deliveryCases } from './contract/delivery-cases.ts';
import { failureCases } from './contract/failure-cases.ts';
import type { BrokerHarness, Case } from './contract/harness.ts';

export { type BrokerHarness, type Case, contractRetry } from './contract/harness.ts';
export { type CheckpointsHarness, relayCheckpointsContract } from './contract/relay-checkpoint-cases.ts';

/** What every broker keeps to. Run each case on a harness; it rejects when the promise its name makes is broken. */
export const brokerContract: readonly Case<BrokerHarness>[] = [...deliveryCases, ...batchCases, ...failureCases];
