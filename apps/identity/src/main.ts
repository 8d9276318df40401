import { runService } from '@parlance/foundation/run';
import { identity } from './service.ts';

await runService(identity);
