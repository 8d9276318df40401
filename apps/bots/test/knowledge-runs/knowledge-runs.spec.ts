import { afterAll } from '@jest/globals';
import { runFaults } from './run-faults.ts';
import { runIndexes } from './run-indexes.ts';
import { runSources } from './run-sources.ts';
import { runsUnderTest } from './runs-under-test.ts';
import { skippedSources } from './skipped-sources.ts';
import { waitingRuns } from './waiting-runs.ts';

// One service for all cases.
const runs = await runsUnderTest();
afterAll(() => runs.bots.stop());

runFaults(runs);
runIndexes(runs);
runSources(runs);
skippedSources(runs);
waitingRuns(runs);
