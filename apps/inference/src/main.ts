import { runService } from '@parlance/service-kit/run';
import { inference } from './service.ts';

await runService(inference);
