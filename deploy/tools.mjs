// Builds the programs that deploy/check.mjs runs, and writes its schemas. `npm run test:full` runs it in the background at low priority.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kubernetesSchemas } from './check/kubernetes-schemas.mjs';
import { goVersion, KUBERNETES, tools } from './check/tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if ((await goVersion()) !== null) {
  const { kubernetesSources } = await tools(root);
  await kubernetesSchemas(kubernetesSources, join(root, `.cache/kubernetes-schemas-${KUBERNETES}`));
}
