import { every, HOUR, MINUTE, type Schedule, SECOND } from '@parlance/foundation';
import { SyncKnowledgeOnSchedule } from './policies/sync-knowledge-on-schedule.ts';
import { StoreIndex } from './projections/store-index.ts';
import { KnowledgeCleanUp } from './workflows/knowledge-clean-up.ts';
import { SyncRuns } from './workflows/sync-runs.ts';

export const schedule: Schedule = [
  every(SECOND, 'take runs', SyncRuns, (runs) => runs.look(), { stop: (runs) => runs.stop(), rests: () => true }),
  every(10 * SECOND, 'start scheduled runs', SyncKnowledgeOnSchedule, (policy) => policy.startDue()),
  every(
    (config) => config.knowledgeCleanUpMinutes * MINUTE,
    'clean up knowledge',
    KnowledgeCleanUp,
    (cleanUp) => cleanUp.run(),
  ),
  every(HOUR, 'remove deleted bots from the store', StoreIndex, (index) => index.removeDeleted()),
];
