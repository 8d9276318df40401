import type { Admin } from 'kafkajs';
import { OFFSETS_KEPT_MS } from '../broker.ts';
import { reasonOf, type Report } from '../retry.ts';

/** Kafka's number for a broker as a resource. kafkajs' own enumeration can't be imported by name into an ES module. */
const BROKER = 4;
const SETTING = 'offsets.retention.minutes';

/**
 * Reports a cluster that deletes the offsets of groups too early. A group that returns later begins at the oldest event, as a new one does,
 * so missed events cannot be detected. The setting applies to the whole cluster, so it is reported and not changed.
 */
export async function checkOffsetRetention(admin: Admin, report: Report): Promise<void> {
  try {
    const { brokers } = await admin.describeCluster();
    const resources = brokers.map(({ nodeId }) => ({ type: BROKER, name: String(nodeId), configNames: [SETTING] }));
    const answer = await admin.describeConfigs({ includeSynonyms: false, resources });
    const minutes = answer.resources.flatMap(({ configEntries }) => configEntries.map(({ configValue }) => Number(configValue)));
    const [least, wanted] = [Math.min(...minutes), OFFSETS_KEPT_MS / 60_000];
    if (least < wanted) report(`Kafka deletes the offsets of inactive groups too early: set ${SETTING} to ${wanted}`, { minutes: least });
  } catch (error) {
    report(`${SETTING} of Kafka could not be read`, { error: reasonOf(error) });
  }
}
