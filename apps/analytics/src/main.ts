import { runService } from '@parlance/foundation/run';
import { analytics } from './service.ts';

await runService(analytics);
