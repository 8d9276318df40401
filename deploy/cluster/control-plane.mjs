// A Kubernetes control plane on this machine: etcd, the API server with its admission, and its controllers. No containers run.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run } from '../check/run.mjs';
import { until } from './until.mjs';

/** Starts the control plane in `folder`. Returns the kubeconfig, the base URL of the API for this process, and a function that stops the control plane. */
export async function startControlPlane(programs, folder) {
  const children = [];
  const start = (name, program, args, more = {}) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...more });
    child.stderr.pipe(createWriteStream(join(folder, `${name}.log`)));
    children.push(child);
    child.once('exit', () => {
      child.ended = true;
    });
    child.once('error', () => {
      child.ended = true;
    });
    return child;
  };
  const stop = async () => {
    // In the reverse order: a controller without its API server only retries.
    for (const child of children.toReversed()) {
      if (child.ended) continue;
      child.kill('SIGTERM');
      const killed = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await once(child, 'exit');
      clearTimeout(killed);
    }
  };
  try {
    const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
    const files = credentials(folder, secure);
    const store = `http://127.0.0.1:${client}`;
    const peers = `http://127.0.0.1:${peer}`;
    const ofEtcd = ['--name=one', `--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync', `--initial-cluster=one=${peers}`];
    const addresses = [store, store, peers, peers];
    const urls = ['listen-client-urls', 'advertise-client-urls', 'listen-peer-urls', 'initial-advertise-peer-urls'];
    start('etcd', programs.etcd, [...ofEtcd, ...urls.map((name, index) => `--${name}=${addresses[index]}`)]).stdout.resume();
    const kubectl = (...args) => run(programs.kubectl, ['--kubeconfig', files.kubeconfig, ...args]);
    const apiserver = start('apiserver', programs.apiserver, [
      `--etcd-servers=${store}`,
      '--service-account-issuer=https://kubernetes.default',
      `--service-account-key-file=${files.publicKey}`,
      `--service-account-signing-key-file=${files.privateKey}`,
      `--cert-dir=${join(folder, 'certificates')}`,
      `--secure-port=${secure}`,
      '--bind-address=127.0.0.1',
      '--authorization-mode=RBAC',
      `--token-auth-file=${files.tokens}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ]);
    apiserver.stdout.resume();
    await until('the API server is ready', async () => {
      if (apiserver.ended) throw new Error(`the API server ended; see ${join(folder, 'apiserver.log')}`);
      return (await kubectl('get', '--raw', '/readyz').catch(() => '')) === 'ok';
    });
    start('controllers', programs.controllers, [
      `--kubeconfig=${files.kubeconfig}`,
      `--service-account-private-key-file=${files.privateKey}`,
      '--leader-elect=false',
      '--secure-port=0',
      // No kubelet reports that its node is alive.
      '--controllers=*,-node-lifecycle-controller',
      '--horizontal-pod-autoscaler-sync-period=1s',
    ]).stdout.resume();
    const proxy = start('proxy', programs.kubectl, ['--kubeconfig', files.kubeconfig, 'proxy', '--port=0', '--reject-methods=']);
    const [line] = await once(createInterface(proxy.stdout), 'line');
    return { kubeconfig: files.kubeconfig, api: `http://${/[\d.]+:\d+/.exec(line)[0]}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function credentials(folder, port) {
  mkdirSync(folder, { recursive: true });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const token = randomBytes(24).toString('hex');
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'admin' } }],
    // The API server creates a new certificate at each start.
    clusters: [{ name: 'here', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
  };
  const write = (name, text) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    publicKey: write('accounts.pub', publicKey),
    privateKey: write('accounts.key', privateKey),
    tokens: write('tokens.csv', `${token},admin,admin,system:masters\n`),
    kubeconfig: write('kubeconfig.json', JSON.stringify(kubeconfig)),
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
