// Checks everything in deploy/ and docker-compose.yml without a container engine or a cluster; `npm run test:full` runs it.
// Needs only Node 20 and, for most checks, Go. The Go client downloads the tools into .cache/ once.
import { fileURLToPath } from 'node:url';
import { checkChart } from './check/chart.mjs';
import { checkCompose } from './check/compose.mjs';
import { checkImage } from './check/image.mjs';
import { checkObservability } from './check/observability.mjs';
import { check, conclude, part, skip } from './check/suite.mjs';
import { goVersion, tools } from './check/tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

await part('the checks of the image', () => checkImage(root));

if ((await goVersion()) === null) {
  for (const name of ['docker-compose.yml', 'the Helm chart', 'the dashboard and the alerts'])
    skip(name, 'Go, which builds what checks it, is not installed');
} else {
  let built;
  await check('the tools of the checks build', async () => {
    built = await tools(root);
  });
  if (built) {
    await part('the checks of docker-compose.yml', () => checkCompose(root, built.reader));
    await part('the checks of the chart', () => checkChart(root, built));
    await part('the checks of dashboard and alerts', () => checkObservability(root, built.reader));
  }
}

conclude();
