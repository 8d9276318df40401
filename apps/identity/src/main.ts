import { requireNode } from '@parlance/foundation/node';

requireNode();
const [{ runService }, { identity }] = await Promise.all([import('@parlance/foundation/run'), import('./service.ts')]);
await runService(identity);
