import { runService } from '@parlance/service-kit/run';
import { identity } from './service.ts';

await runService(identity);
