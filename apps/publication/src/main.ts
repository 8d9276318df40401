import { runService } from '@parlance/foundation/run';
import { publication } from './service.ts';

await runService(publication);
