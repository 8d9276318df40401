// Builds etcd, kube-apiserver, kube-controller-manager and kubectl from the sources of their releases, once, into .cache/.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../check/run.mjs';
import { KUBERNETES } from '../check/tools.mjs';

/** The paths of the programs. */
export async function controlPlane(root) {
  const module = join(root, 'deploy/cluster/control-plane');
  const digest = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) digest.update(readFileSync(join(module, file)));
  const folder = join(root, `.cache/go/bin/kubernetes-${KUBERNETES}-${digest.digest('hex').slice(0, 12)}`);
  if (!existsSync(folder)) {
    console.log(`Building the control plane of Kubernetes ${KUBERNETES}. This takes 5 to 30 minutes, the first time only.`);
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(KUBERNETES);
    // Without them the API server calls itself v0.0.0, and a chart's kubeVersion refuses it.
    const version = { gitVersion: KUBERNETES, gitMajor: major, gitMinor: minor };
    const flags = Object.entries(version).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    const unfinished = `${folder}.${process.pid}/`;
    const build = ['go', 'build', '-trimpath', '-ldflags', ['-s', '-w', ...flags].join(' '), '-o', unfinished, 'tool'];
    await run('nice', ['-n', '15', ...build], { cwd: module, env: { GOWORK: 'off' } });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  const programs = { etcd: 'server', apiserver: 'kube-apiserver', controllers: 'kube-controller-manager', kubectl: 'kubectl' };
  return Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(folder, file)]));
}
