import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type Cluster, databaseOperations, patience } from '@parlance/testing';

/** The time after which a cluster is idle: edges wait longer for revocations, and periodic work rests. */
const IDLE_MILLIS = 25_000;
const COUNTED_MILLIS = 30_000;
/** Reads and writes of all services together. It does not depend on what is stored. */
const MOST_A_SECOND = 25;

/** The load of a cluster that nobody uses, after everything else. Its database must not be used by others. */
export function idleStory(cluster: () => Cluster): void {
  describe('an idle cluster', () => {
    it(
      'sends its database few commands',
      async () => {
        const operations = await databaseOperations(cluster().environment['PARLANCE_MONGO_URI']!);
        try {
          await pause(IDLE_MILLIS);
          const before = await operations.count();
          await pause(COUNTED_MILLIS);
          expect(((await operations.count()) - before) / (COUNTED_MILLIS / 1_000)).toBeLessThan(MOST_A_SECOND);
        } finally {
          await operations.close();
        }
      },
      patience(IDLE_MILLIS + COUNTED_MILLIS + 30_000),
    );
  });
}
