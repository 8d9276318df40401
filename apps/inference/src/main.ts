import { runService } from '@parlance/foundation/run';
import { inference } from './service.ts';

await runService(inference);
