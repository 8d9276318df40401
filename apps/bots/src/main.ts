import { runService } from '@parlance/service-kit/run';
import { bots } from './service.ts';

await runService(bots);
