// Waits until the product has no work left: all events are delivered and projected, and all messages have replies.
import { patience } from '../libs/testing/dist/patience.js';
import { waitFor } from '../libs/testing/dist/wait-for.js';
import { offsetOf, positionOf } from '../libs/messaging/dist/embedded/entry.js';
import { orphans } from './checks/knowledge-is-whole.mjs';
import { Evidence, services } from './evidence.mjs';

/**
 * Describes the unfinished work, one sentence each; empty if there is none. `isAbandoned` returns whether no running process uses a version
 * of a read model, or its consumer group.
 */
export function unfinished(data, { replies = true, knowledge = replies, isAbandoned = () => false } = {}) {
  const evidence = new Evidence(data);
  const left = [];
  try {
    for (const service of services) {
      const head = evidence.all(service, 'SELECT coalesce(max(position), 0) AS head FROM commits')[0].head;
      for (const { grp, partition, next } of evidence.all('broker', CURSORS, service))
        if (next <= offsetOf(head) && !isAbandoned(grp))
          left.push(`${grp} has handled ${positionOf(next) - 1} of ${head} commits of ${service} in partition ${partition}`);
      for (const { id } of evidence.all(service, UNREADY)) if (!isAbandoned(id)) left.push(`${id} of ${service} is being built`);
      for (const { projection, checkpoint } of evidence.all(service, OWN_PROJECTIONS))
        if (checkpoint < head && !isAbandoned(projection)) left.push(`${projection} of ${service} has read ${checkpoint} of ${head}`);
    }
    if (replies) {
      const owed = evidence.rows('inference', 'messages', 'owed_replies').size;
      if (owed > 0) left.push(`${owed} replies are owed`);
    }
    if (knowledge) {
      const owed = [...evidence.rows('bots', 'knowledge', 'knowledge_syncs').values()].filter((row) => row.owed === 1).length;
      if (owed > 0) left.push(`${owed} bots wait for a run`);
      left.push(...orphans(evidence));
    }
  } finally {
    evidence.close();
  }
  return left;
}

/**
 * Projections of the service's own log that are not live. Live ones are written with each append; foreign ones follow consumer groups. The
 * rows of deliveries to webhooks are not derived from the log.
 */
const OWN_PROJECTIONS = `
  SELECT id AS projection, CAST(at AS INTEGER) AS checkpoint FROM read_model_progress
   WHERE line = '' AND live = 0 AND leaving = 0 AND at NOT LIKE '{%' AND id NOT LIKE 'webhook-deliveries@%' AND EXISTS (SELECT 1 FROM commits)`;

const UNREADY = "SELECT id FROM read_model_progress WHERE line = '' AND ready = 0 AND leaving = 0";

const CURSORS = 'SELECT grp, partition, next FROM broker_cursors WHERE source = ?';

/**
 * Resolves with an empty list when two checks in a row found no work, or with the unfinished work when the time is over. The reply of a
 * lost worker waits for its lease of 10 s, a run for 30 s, and an index that a crash left for the clean-up, which is not an error.
 */
export async function quiet(product, { within = patience(300_000), ...options } = {}) {
  let before = 1;
  try {
    await waitFor(
      () => {
        const now = unfinished(product.data, options).length;
        const isQuiet = now === 0 && before === 0;
        before = now;
        return isQuiet;
      },
      { timeout: within, what: 'quiet' },
    );
    return [];
  } catch {
    return unfinished(product.data, options);
  }
}
