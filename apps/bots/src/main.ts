import { runService } from '@parlance/foundation/run';
import { bots } from './service.ts';

await runService(bots);
