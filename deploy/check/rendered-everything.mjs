// Rules for the objects that the chart renders with everything switched on (values/everything.yaml).
import assert from 'node:assert/strict';
import { SERVICES } from './config-keys.mjs';
import { component, pod } from './objects.mjs';

export async function checkEverything(rule, of, named, config, { alerts, dashboard }) {
  await rule('configuration keys become variables as the services read them', () => {
    assert.equal(config.PARLANCE_TOKEN_VALID_MINUTES, '15');
    assert.equal(config.PARLANCE_SELF_SIGN_UP_ENABLED, 'false');
    assert.equal(config.PARLANCE_LIMITS_BLOCK, '10000');
    assert.equal(config.PARLANCE_SESSION_VALID_DAYS, '7');
    assert.equal(config.PARLANCE_SIGNING_KEY_DAYS, '90');
    assert.equal(config.PARLANCE_AUTH_REQUESTS_PER_MINUTE, '0');
    assert.equal(config.PARLANCE_CONSOLE_ORIGINS, 'https://console.example.com');
    assert.equal(config.PARLANCE_AUTO_JOIN_USER_GROUPS, 'readers,writers');
    assert.equal(config.PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES, '192.0.2.0/24');
    assert.equal(config.PARLANCE_PUBLISHED_API_ALLOWED_IP_V6_ADDRESS_RANGES, '2001:db8::/32');
    assert.equal(config.PARLANCE_TRUSTED_PROXIES, '10.0.0.0/8,fd00::/8');
    assert.equal(config.PARLANCE_KAFKA_BROKERS, 'kafka-0:9092,kafka-1:9092');
    assert.equal(config.PARLANCE_KAFKA_PREFIX, 'acme.');
    assert.equal(config.PARLANCE_PUBLIC_BASE_URL, 'https://chat.example.com');
  });
  await rule('a service with autoscaling starts with the minimum number of replicas', () => {
    assert.deepEqual(
      of('HorizontalPodAutoscaler').map(component).toSorted(),
      SERVICES.filter((name) => name !== 'identity'),
    );
    assert.equal(named('Deployment', 'edge').spec.replicas, 2);
    assert.equal(named('Deployment', 'identity').spec.replicas, 3);
    assert.equal(named('HorizontalPodAutoscaler', 'inference').spec.maxReplicas, 20);
    assert.equal(named('HorizontalPodAutoscaler', 'inference').spec.minReplicas, 2);
  });
  await rule('the edge is reachable from the named peers and the release, metrics from theirs', () => {
    const [http, metrics] = named('NetworkPolicy', 'edge').spec.ingress;
    assert.deepEqual(
      http.from.map((peer) => Object.keys(peer)[0]),
      ['podSelector', 'namespaceSelector'],
    );
    assert.equal(metrics.ports[0].port, 'metrics');
  });
  await rule('the alerts and the dashboard are those in the files of the chart', () => {
    const [{ spec }] = of('PrometheusRule');
    assert.equal(spec.groups[0].rules[0].annotations.summary, alerts.groups[0].rules[0].annotations.summary);
    assert.deepEqual(spec, alerts);
    const [map] = of('ConfigMap');
    assert.equal(map.metadata.labels.grafana_dashboard, '1');
    assert.deepEqual(JSON.parse(map.data['parlance.json']), dashboard);
  });
  await rule('only services that need the internet may call it', () => {
    const callers = of('NetworkPolicy').filter(({ spec }) =>
      spec.egress.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')),
    );
    assert.deepEqual(callers.map(component).toSorted(), ['analytics', 'bots', 'identity', 'inference']);
    for (const { spec } of of('NetworkPolicy')) {
      for (const { to, ports } of spec.egress) {
        assert.ok(to || ports[0].port === 4318);
        const block = to?.find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')?.ipBlock;
        assert.ok(!block || block.except.includes('100.64.0.0/10'));
      }
    }
  });
  await rule('pods have the values of their service', () => {
    const inference = pod(named('Deployment', 'inference'));
    assert.ok(inference.containers[0].env.some(({ name, value }) => name === 'AWS_REGION' && value === 'eu-central-1'));
    assert.match(inference.containers[0].image, /^images\.example\.com\/parlance@sha256:[0-9a-f]{64}$/);
    assert.equal(named('ServiceAccount', 'inference').metadata.annotations['example.com/role'], 'models');
    assert.deepEqual(inference.podSpec.tolerations, [{ key: 'spot', operator: 'Exists' }]);
    assert.equal(inference.podSpec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight, 50);
    assert.equal(inference.containers[0].volumeMounts.at(-1).mountPath, '/etc/ssl/company');
    assert.equal(inference.podSpec.volumes.at(-1).configMap.name, 'company-ca');
    assert.equal(named('Deployment', 'inference').metadata.annotations['example.com/reload'], 'true');
    assert.equal(named('Deployment', 'inference').spec.template.metadata.labels['example.com/cost'], 'chat');
    assert.equal(named('Service', 'edge').metadata.annotations['example.com/balancer'], 'internal');
    assert.equal(inference.containers[0].startupProbe.failureThreshold, 151);
    const uri = (service) =>
      pod(named('Deployment', service)).containers[0].env.find(({ name }) => name === 'PARLANCE_MONGO_URI').valueFrom;
    assert.deepEqual(uri('identity').secretKeyRef, { name: 'identity-store', key: 'uri' });
    assert.deepEqual(uri('bots').secretKeyRef, { name: 'store', key: 'mongo' });
    const keyFile = (service) => pod(named('Deployment', service)).podSpec.volumes.find(({ name }) => name === 'master-key').secret;
    const [own, shared] = [keyFile('identity'), keyFile('bots')];
    assert.deepEqual([own.secretName, own.items[0].key], ['identity-key', 'identity.key']);
    assert.deepEqual([shared.secretName, shared.items[0].key], ['keys', 'parlance']);
    assert.equal(named('PodDisruptionBudget', 'bots'), undefined);
  });
  await rule('the ingress and the monitor lead to the services', () => {
    const [{ spec }] = of('Ingress');
    assert.deepEqual(
      spec.rules.map(({ host }) => host),
      ['chat.example.com', '*.api.example.com', 'talk.example.com'],
    );
    for (const { http } of spec.rules) assert.equal(http.paths[0].backend.service.name, named('Service', 'edge').metadata.name);
    assert.deepEqual(spec.tls, [
      { secretName: 'chat-tls', hosts: ['chat.example.com'] },
      { secretName: 'api-tls', hosts: ['*.api.example.com'] },
    ]);
    const [monitor] = of('ServiceMonitor');
    assert.equal(monitor.metadata.labels.release, 'prometheus');
    for (const service of of('Service')) {
      const { labels } = service.metadata;
      assert.deepEqual({ ...labels, ...monitor.spec.selector.matchLabels }, labels);
      assert.ok(service.spec.ports.some(({ name }) => name === monitor.spec.endpoints[0].port));
    }
  });
}
