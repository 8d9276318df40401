// `npm run test:helm`: the chart and the Kubernetes page of the documentation on a real API server with its controllers, without containers.
// Not part of `npm test`, because the first build of the control plane takes long.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { part, conclude } from '../check/suite.mjs';
import { tools } from '../check/tools.mjs';
import { Api } from './api.mjs';
import { controlPlane } from './build.mjs';
import { checkAutoscaling } from './cases/autoscaling.mjs';
import { checkGuide } from './cases/guide.mjs';
import { checkInstallation } from './cases/installation.mjs';
import { checkNetwork } from './cases/network.mjs';
import { checkPodSecurity } from './cases/pod-security.mjs';
import { startControlPlane } from './control-plane.mjs';
import { Nodes } from './nodes.mjs';
import { World } from './world.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { helm } = await tools(root);
const programs = await controlPlane(root);
const folder = mkdtempSync(join(tmpdir(), 'parlance-kubernetes-'));
const plane = await startControlPlane(programs, folder);
const api = new Api(plane.api);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
try {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(helm, join(bin, 'helm'));
  symlinkSync(programs.kubectl, join(bin, 'kubectl'));
  // Helm writes its caches below HOME.
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, KUBECONFIG: plane.kubeconfig, HOME: folder };
  const nodes = new Nodes(api);
  await nodes.start();
  const world = new World({ root, api, nodes, env });
  await part('installation, upgrade, rollback, eviction and removal', () => checkInstallation(world));
  await part('autoscaling', () => checkAutoscaling(world));
  await part('network policies', () => checkNetwork(world));
  await part('Pod Security', () => checkPodSecurity(world));
  await part('the Kubernetes page', () => checkGuide(world));
} finally {
  api.close();
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
}
conclude('test:helm');
