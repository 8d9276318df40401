import assert from 'node:assert/strict';
import { check } from '../../check/suite.mjs';
import { SERVICES } from '../../check/config-keys.mjs';
import { component } from '../../check/objects.mjs';
import { until } from '../until.mjs';
import { SECRETS } from '../world.mjs';

const CHART = 'deploy/helm/parlance';
const NAMESPACE = 'chat';

const environment = ({ spec }) => Object.fromEntries(spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]));

export async function checkInstallation(world) {
  const helm = (...args) => world.helm(NAMESPACE, ...args);
  const edge = () => world.deployment(NAMESPACE, 'parlance-edge');
  const budget = async () =>
    (await world.api.get(`/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets/parlance-edge`)).status ?? {};
  const evict = ({ metadata: { name } }) =>
    world.api.send('POST', `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
    });
  const replaced = (pods) =>
    until('the pods are replaced', async () => {
      const ids = (await world.pods(NAMESPACE, 'edge')).map(({ metadata }) => metadata.uid);
      return ids.length === 2 && pods.every(({ metadata }) => !ids.includes(metadata.uid));
    });
  await world.namespace(NAMESPACE);

  await check('the chart is installed in a namespace that enforces Pod Security restricted, and every pod becomes ready', async () => {
    await helm('install', 'parlance', CHART, '--set', 'config.tokenValidMinutes=30');
    await world.settled(NAMESPACE);
    for (const service of SERVICES) assert.equal((await world.readyPods(NAMESPACE, service)).length, 2, service);
  });
  await check('a budget allows one pod of a service to be evicted, and the next one only when its replacement is ready', async () => {
    await until('the budget allows an eviction', async () => (await budget()).disruptionsAllowed === 1);
    const [first, second] = await world.readyPods(NAMESPACE, 'edge');
    world.nodes.held = true;
    try {
      await evict(first);
      await replaced([first]);
      await assert.rejects(evict(second), ({ status }) => status === 429);
    } finally {
      world.nodes.release();
    }
    await until('the replacement is ready', async () => (await world.readyPods(NAMESPACE, 'edge')).length === 2);
    await until('the other pod may be evicted', () => evict(second).then(() => true));
    await replaced([first, second]);
    await until('both are ready', async () => (await world.readyPods(NAMESPACE, 'edge')).length === 2);
  });
  await check('pods that are not ready never keep a node from being drained', async () => {
    const pods = await world.readyPods(NAMESPACE, 'edge');
    world.nodes.held = true;
    try {
      for (const { metadata } of pods) await world.kubectl(NAMESPACE, 'delete', 'pod', metadata.name, '--wait=false');
      await replaced(pods);
      await until('the budget shows that no pod is ready', async () => (await budget()).currentHealthy === 0);
      for (const pod of await world.pods(NAMESPACE, 'edge')) await evict(pod);
    } finally {
      world.nodes.release();
    }
    await until('both are ready', async () => (await world.readyPods(NAMESPACE, 'edge')).length === 2);
  });
  await check('an upgrade replaces the pods one by one, and no service has fewer than two of them', async () => {
    const least = await world.watched(NAMESPACE, () =>
      helm('upgrade', 'parlance', CHART, '--set', 'config.tokenValidMinutes=15', '--set', 'image.tag=0.2.1'),
    );
    for (const service of SERVICES) assert.equal(least[service].ready, 2, service);
    assert.equal(environment(await edge()).PARLANCE_TOKEN_VALID_MINUTES, '15');
    for (const { spec } of await world.pods(NAMESPACE)) assert.equal(spec.containers[0].image, 'parlance:0.2.1');
  });
  await check('kubectl rollout undo brings back the earlier configuration and image of one service only', async () => {
    await world.kubectl(NAMESPACE, 'rollout', 'undo', 'deployment/parlance-edge');
    await world.settled(NAMESPACE);
    for (const { spec } of await world.pods(NAMESPACE, 'edge')) {
      const { env, image } = spec.containers[0];
      assert.equal(env.find(({ name }) => name === 'PARLANCE_TOKEN_VALID_MINUTES').value, '30');
      assert.equal(image, 'parlance:0.3.0');
    }
    assert.equal(environment(await world.deployment(NAMESPACE, 'parlance-bots')).PARLANCE_TOKEN_VALID_MINUTES, '15');
  });
  await check('helm rollback brings back the first release everywhere, without a gap', async () => {
    const least = await world.watched(NAMESPACE, () => helm('rollback', 'parlance', '1'));
    for (const deployment of await world.deployments(NAMESPACE)) {
      assert.equal(environment(deployment).PARLANCE_TOKEN_VALID_MINUTES, '30');
      assert.equal(deployment.spec.template.spec.containers[0].image, 'parlance:0.3.0');
      assert.equal(least[component(deployment)].ready, 2);
    }
  });
  await check('removing the release leaves the secrets and nothing else', async () => {
    await helm('uninstall', 'parlance', '--wait');
    const kinds = 'deployments,replicasets,pods,services,serviceaccounts,configmaps,poddisruptionbudgets,networkpolicies,endpointslices';
    await until('all is gone', async () => {
      const left = await world.kubectl(NAMESPACE, 'get', kinds, '-l', 'app.kubernetes.io/instance=parlance', '-o', 'name');
      return left.trim() === '';
    });
    const secrets = await world.api.list(`/api/v1/namespaces/${NAMESPACE}/secrets`);
    assert.deepEqual(secrets.map(({ metadata }) => metadata.name).toSorted(), Object.keys(SECRETS).toSorted());
  });
}
