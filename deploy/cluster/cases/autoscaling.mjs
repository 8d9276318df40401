import assert from 'node:assert/strict';
import { SERVICES } from '../../check/config-keys.mjs';
import { check } from '../../check/suite.mjs';
import { until } from '../until.mjs';

const CHART = 'deploy/helm/parlance';
const NAMESPACE = 'scaled';
const ON = ['--set', 'defaults.autoscaling.enabled=true'];

export async function checkAutoscaling(world) {
  const helm = (...args) => world.helm(NAMESPACE, ...args);
  const autoscaler = () => world.api.get(`/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers/parlance-edge`);
  await world.namespace(NAMESPACE);
  await helm('install', 'parlance', CHART, '--set', 'defaults.replicas=3');
  await world.settled(NAMESPACE);

  await check('switching autoscaling on keeps the replicas that run', async () => {
    const least = await world.watched(NAMESPACE, () => helm('upgrade', 'parlance', CHART, ...ON));
    for (const service of SERVICES) assert.deepEqual(least[service], { requested: 3, ready: 3 }, service);
    await until('the autoscaler works', async () => {
      const { status } = await autoscaler();
      return status.conditions?.some(({ type, status: is }) => type === 'AbleToScale' && is === 'True');
    });
  });
  await check('an upgrade keeps the replicas that the autoscaler has chosen', async () => {
    await world.kubectl(NAMESPACE, 'scale', 'deployment/parlance-edge', '--replicas=5');
    await world.settled(NAMESPACE);
    const least = await world.watched(NAMESPACE, () => helm('upgrade', 'parlance', CHART, ...ON, '--set', 'logLevel=debug'));
    assert.deepEqual(least.edge, { requested: 5, ready: 5 });
  });
  await check('the autoscaler keeps its bounds', async () => {
    await helm('upgrade', 'parlance', CHART, ...ON, '--set', 'services.edge.autoscaling.maxReplicas=4');
    await until('there are four', async () => (await world.deployment(NAMESPACE, 'parlance-edge')).spec.replicas === 4);
    await world.settled(NAMESPACE);
  });
  await check('bounds that contradict each other are refused, and nothing changes', async () => {
    const before = [await autoscaler(), await world.deployments(NAMESPACE)];
    const wrong = ['--set', 'services.edge.autoscaling.minReplicas=9'];
    await assert.rejects(helm('upgrade', 'parlance', CHART, ...ON, ...wrong), /edge: autoscaling\.minReplicas \(9\) exceeds/);
    const after = [await autoscaler(), await world.deployments(NAMESPACE)];
    assert.deepEqual(
      after.flat().map(({ spec }) => spec),
      before.flat().map(({ spec }) => spec),
    );
  });
  await helm('uninstall', 'parlance', '--wait');
}
