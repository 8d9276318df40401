import { requireNode } from '@parlance/foundation/node';

requireNode();
const [{ runService }, { bots }] = await Promise.all([import('@parlance/foundation/run'), import('./service.ts')]);
await runService(bots);
