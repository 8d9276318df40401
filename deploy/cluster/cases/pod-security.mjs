import assert from 'node:assert/strict';
import { SERVICES } from '../../check/config-keys.mjs';
import { check } from '../../check/suite.mjs';

const CHART = 'deploy/helm/parlance';
const NAMESPACE = 'everything';
const VALUES = 'deploy/check/values/everything.yaml';
const MORE = {
  kafka: ['kafka-security.json'],
  store: ['mongo', 'objects'],
  'identity-store': ['uri'],
  keys: ['parlance'],
  'first-admin': ['email', 'password'],
  models: ['models.json'],
  'sign-in': ['oidc.json'],
  mail: ['url'],
  knowledge: ['s3.json', 'reranker.json', 'retrievers.json'],
  tools: ['search.json', 'mcp.json'],
};

export async function checkPodSecurity(world) {
  await world.namespace(NAMESPACE);
  for (const [name, keys] of Object.entries(MORE)) await world.secret(NAMESPACE, name, keys);
  await world.api.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'chat' }, value: 1000 });

  await check('Pod Security restricted is enforced: a pod that may gain privileges is refused', async () => {
    const pod = { metadata: { name: 'root' }, spec: { containers: [{ name: 'root', image: 'parlance' }] } };
    await assert.rejects(world.api.send('POST', `/api/v1/namespaces/${NAMESPACE}/pods`, pod), /violates PodSecurity "restricted/);
  });
  await check('the chart is installed with everything switched on, without a warning, and every pod becomes ready', async () => {
    // The cluster does not have the Prometheus operator's resource kinds.
    const without = ['--set', 'serviceMonitor.enabled=false,prometheusRule.enabled=false'];
    const install = ['--namespace', NAMESPACE, 'install', 'talk', CHART, '--values', VALUES, ...without];
    const output = await world.run('sh', '-c', 'helm "$@" 2>&1', 'sh', ...install);
    assert.doesNotMatch(output, /warning/i);
    await world.settled(NAMESPACE);
    for (const service of SERVICES) assert.ok((await world.readyPods(NAMESPACE, service)).length >= 2, service);
  });
  await check('a missing secret or key keeps a pod from being ready, so the earlier pods stay', async () => {
    const models = ['--set', 'models.key=absent.json', '--reuse-values'];
    await world.helm(NAMESPACE, 'upgrade', 'talk', CHART, ...models);
    const waiting = await world
      .kubectl(NAMESPACE, 'rollout', 'status', 'deployment/talk-inference', '--timeout=3s')
      .catch((error) => error);
    assert.match(waiting.message, /timed out/);
    assert.equal((await world.readyPods(NAMESPACE, 'inference')).length, 2);
    await world.kubectl(NAMESPACE, 'rollout', 'status', 'deployment/talk-edge', '--timeout=20s');
  });
  await world.helm(NAMESPACE, 'uninstall', 'talk', '--wait');
}
