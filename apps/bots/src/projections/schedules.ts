import { Instant } from '@parlance/decider';
import { Cron } from 'croner';

/** Two runs of a schedule are at least this far apart. */
export const SHORTEST_INTERVAL_MINUTES = 15;
/** The number of runs of a schedule that are checked for the shortest interval: one day with a run every quarter of an hour. */
const CHECKED_RUNS = 96;

/** What is wrong with a schedule, or null. A schedule is a cron expression with five fields, in UTC. */
export function faultOfSchedule(schedule: string, from: Instant): string | null {
  const wrong = 'must be a cron expression with five fields, such as 0 3 * * 1 for Mondays at 03:00 UTC';
  if (schedule.trim().split(/\s+/).length !== 5) return wrong;
  let runs: readonly Date[];
  try {
    runs = cron(schedule).nextRuns(CHECKED_RUNS, new Date(from));
  } catch {
    return wrong;
  }
  if (runs.length === 0) return 'must have a next run';
  const isTooOften = runs.some(
    (run, index) => index > 0 && run.getTime() - runs[index - 1]!.getTime() < SHORTEST_INTERVAL_MINUTES * 60_000,
  );
  return isTooOften ? `must leave at least ${SHORTEST_INTERVAL_MINUTES} minutes between two runs` : null;
}

/** The first run after a time. Null if there is none, or if this release cannot read the schedule. */
export function nextRun(schedule: string | null, after: Instant): Instant | null {
  if (schedule === null) return null;
  try {
    const next = cron(schedule).nextRun(new Date(after));
    return next && Instant.ofMillis(next.getTime());
  } catch {
    return null;
  }
}

const cron = (schedule: string) => new Cron(schedule, { timezone: 'UTC', mode: '5-part', paused: true });
