import { runService } from '@parlance/service-kit/run';
import { publication } from './service.ts';

await runService(publication);
