import { runService } from '@parlance/service-kit/run';
import { edge } from './service.ts';

await runService(edge);
