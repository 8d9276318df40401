import { requireNode } from '@parlance/foundation/node';

requireNode();
const [{ runService }, { inference }] = await Promise.all([import('@parlance/foundation/run'), import('./service.ts')]);
await runService(inference);
