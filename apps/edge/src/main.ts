import { runService } from '@parlance/foundation/run';
import { edge } from './service.ts';

await runService(edge);
