import assert from 'node:assert/strict';
import { check } from '../../check/suite.mjs';

const CHART = 'deploy/helm/parlance';
const NAMESPACE = 'guarded';
const FROM = 'networkPolicy.edgeFrom[0].namespaceSelector';
const LABEL = 'kubernetes\\.io/metadata\\.name=ingress-nginx';

export async function checkNetwork(world) {
  const helm = (...args) => world.helm(NAMESPACE, ...args);
  const peers = async () => {
    const { spec } = await world.api.get(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies/parlance-edge`);
    return spec.ingress[0].from;
  };
  await world.namespace(NAMESPACE);

  await check('the edge is open to the named namespace, and to the release', async () => {
    await helm('install', 'parlance', CHART, '--set', `${FROM}.matchLabels.${LABEL}`);
    const [release, ingress] = await peers();
    assert.deepEqual(release.podSelector.matchLabels, { 'app.kubernetes.io/instance': 'parlance', 'app.kubernetes.io/name': 'parlance' });
    assert.deepEqual(ingress, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } });
  });
  await check('a typo in a selector is refused, and the policy stays as it was', async () => {
    const before = await peers();
    await assert.rejects(helm('upgrade', 'parlance', CHART, '--set', `${FROM}.matchLabel.${LABEL}`), /matchLabel/);
    assert.deepEqual(await peers(), before);
  });
  await check('an ingress without trusted proxies is refused, and with them it leads to the edge', async () => {
    const ingress = ['--set', 'ingress.enabled=true,ingress.host=chat.example.com'];
    await assert.rejects(helm('upgrade', 'parlance', CHART, ...ingress), /ingress\.enabled needs config\.trustedProxies/);
    const notes = await helm('upgrade', 'parlance', CHART, ...ingress, '--set', 'config.trustedProxies[0]=10.0.0.0/8');
    assert.match(notes, /Behind 10\.0\.0\.0\/8 \(config\.trustedProxies\), the edge takes the caller's address from X-Forwarded-For/);
    const { spec } = await world.api.get(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses/parlance`);
    assert.equal(spec.rules[0].http.paths[0].backend.service.name, 'parlance-edge');
  });
  await helm('uninstall', 'parlance', '--wait');
}
