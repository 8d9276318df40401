import { setTimeout as sleep } from 'node:timers/promises';

interface KafkaFault {
  readonly type?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/** The chain of errors that kafkajs has wrapped, outermost first. */
function chain(error: unknown): readonly KafkaFault[] {
  const faults: KafkaFault[] = [];
  for (let each = error; typeof each === 'object' && each !== null; each = (each as KafkaFault).cause) faults.push(each);
  return faults;
}

export function isOfType(error: unknown, ...types: readonly string[]): boolean {
  return chain(error).some(({ type }) => type !== undefined && types.includes(type));
}

/** 90 is PRODUCER_FENCED, which kafkajs 2 doesn't know by name. */
export function saysFenced(error: unknown): boolean {
  return isOfType(error, 'INVALID_PRODUCER_EPOCH') || chain(error).some(({ message }) => /error code 90\b/.test(message ?? ''));
}

/** Errors that occur briefly after a start, a failover or the creation of a topic, and that kafkajs does not retry. */
const notReady = [
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'UNKNOWN_TOPIC_OR_PARTITION',
];

/** Errors of answers that kafkajs or `whenReady` asks for again, in the words of kafkajs. Usual after a start, while groups change, and between transactions. */
const passing = [
  'The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing',
  'The group is rebalancing, so a rejoin is needed',
  "The coordinator is loading and hence can't process requests for this group",
  'The group coordinator is not available',
  'There is no leader for this topic-partition as we are in the middle of a leadership election',
  'This server does not host this topic-partition',
];

export const isPassing = (text: unknown): boolean => typeof text === 'string' && passing.some((each) => text.endsWith(each));

export async function whenReady<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isOfType(error, ...notReady) || Date.now() > deadline) throw error;
      await sleep(25);
    }
  }
}
