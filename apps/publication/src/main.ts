import { requireNode } from '@parlance/foundation/node';

requireNode();
const [{ runService }, { publication }] = await Promise.all([import('@parlance/foundation/run'), import('./service.ts')]);
await runService(publication);
