import { runService } from '@parlance/service-kit/run';
import { analytics } from './service.ts';

await runService(analytics);
