// The programs that the checks run, built once by the Go client into .cache/go/bin under names that carry their versions.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

export const KUBERNETES = 'v1.34.1';
const HELM = 'v3.22.0';
const KUBECONFORM = 'v0.8.0';
/**
 * Builds without optimization and debug information take half the processor time, which pays off for programs that run for a second. All
 * programs have the same flags, so that Go's own packages are compiled once.
 */
const CHEAP = ['-trimpath', '-buildvcs=false', '-gcflags=all=-N -l -dwarf=false'];
const STRIPPED = '-s -w';
const WITHOUT_C = { CGO_ENABLED: '0' };

export async function goVersion() {
  return run('go', ['env', 'GOVERSION']).then(
    (version) => version.trim(),
    () => null,
  );
}

/** Returns the paths of helm, kubeconform and the reader, and a function that fetches the Kubernetes sources and returns their folder. */
export async function tools(root) {
  const bin = join(root, '.cache/go/bin');
  mkdirSync(bin, { recursive: true });
  // `go install` leaves out what Helm's own build sets: the cluster version that it renders for when there is no cluster.
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(KUBERNETES);
  const flags = ['chartutil', 'lint/rules'].flatMap((place) => [
    `-X helm.sh/helm/v3/pkg/${place}.k8sVersionMajor=${major}`,
    `-X helm.sh/helm/v3/pkg/${place}.k8sVersionMinor=${minor}`,
  ]);
  const reader = join(root, 'deploy/check/reader');
  return {
    helm: await installed(bin, `helm-${HELM}-k${minor}`, 'helm', [
      '-ldflags',
      [STRIPPED, ...flags].join(' '),
      `helm.sh/helm/v3/cmd/helm@${HELM}`,
    ]),
    kubeconform: await installed(bin, `kubeconform-${KUBECONFORM}`, 'kubeconform', [
      '-ldflags',
      STRIPPED,
      `github.com/yannh/kubeconform/cmd/kubeconform@${KUBECONFORM}`,
    ]),
    reader: await built(bin, reader),
    kubernetesSources: async () => JSON.parse(await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${KUBERNETES}`])).Dir,
  };
}

async function installed(bin, name, program, args) {
  const path = join(bin, name);
  if (!existsSync(path)) {
    await run('go', ['install', ...CHEAP, ...args], { env: { GOBIN: bin, ...WITHOUT_C } });
    renameSync(join(bin, program), path);
  }
  return path;
}

async function built(bin, folder) {
  const digest = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) digest.update(readFileSync(join(folder, file)));
  const path = join(bin, `deploy-reader-${digest.digest('hex').slice(0, 12)}`);
  if (!existsSync(path)) {
    // Go may copy the program from another file system, and may be interrupted meanwhile.
    const unfinished = `${path}.${process.pid}`;
    await run('go', ['build', ...CHEAP, '-ldflags', STRIPPED, '-o', unfinished, '.'], {
      cwd: folder,
      env: { GOWORK: 'off', ...WITHOUT_C },
    });
    renameSync(unfinished, path);
  }
  return path;
}
