// Rules for what the chart renders that the API's schemas do not know.
import assert from 'node:assert/strict';
import { SERVICES, VARIABLES } from './config-keys.mjs';
import { check } from './suite.mjs';

const component = ({ metadata }) => metadata.labels['app.kubernetes.io/component'];

export async function checkRendered(values, objects) {
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const named = (kind, service) => of(kind).find((object) => component(object) === service);
  const deployments = of('Deployment');
  const config = of('ConfigMap')[0].data;
  const rule = (text, body) => check(`${text}, with ${values} values`, body);

  await rule('every service has a Deployment, a Service and a ServiceAccount', () => {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount']) assert.deepEqual(of(kind).map(component).toSorted(), SERVICES, kind);
  });
  await rule('no object holds a secret', () => {
    assert.deepEqual(of('Secret'), []);
    for (const key of Object.keys(config)) assert.doesNotMatch(key, /PASSWORD|MONGO_URI|OBJECT_STORE|MODELS|PROVIDERS|SECRET/);
  });
  await rule('containers are confined', () => {
    for (const { podSpec, containers } of [...deployments, ...of('Pod')].map(pod)) {
      assert.equal(podSpec.securityContext.runAsNonRoot, true);
      assert.equal(podSpec.securityContext.runAsUser, 10001);
      assert.equal(podSpec.securityContext.seccompProfile.type, 'RuntimeDefault');
      assert.equal(podSpec.automountServiceAccountToken, false);
      assert.equal(podSpec.enableServiceLinks, false);
      for (const { securityContext, resources } of containers) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
      }
    }
    for (const account of of('ServiceAccount')) assert.equal(account.automountServiceAccountToken, false);
  });
  await rule('every service is probed, drained and rolled without a gap', () => {
    for (const deployment of deployments) {
      const { podSpec, containers } = pod(deployment);
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = containers;
      assert.equal(startupProbe.httpGet.path, '/health/live');
      assert.equal(livenessProbe.httpGet.path, '/health/live');
      assert.equal(readinessProbe.httpGet.path, '/health/ready');
      assert.ok(lifecycle.preStop.sleep.seconds < podSpec.terminationGracePeriodSeconds);
      assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
      assert.equal(podSpec.topologySpreadConstraints.length, 2);
    }
  });
  await rule('every service runs its own program with known keys alone', () => {
    for (const deployment of deployments) {
      const [{ command, env, envFrom, volumeMounts }] = pod(deployment).containers;
      assert.deepEqual(command, ['node', `apps/${component(deployment)}/dist/main.js`]);
      assert.equal(envFrom[0].configMapRef.name, of('ConfigMap')[0].metadata.name);
      const ours = [...Object.keys(config), ...env.map(({ name }) => name)].filter((name) => name.startsWith('PARLANCE_'));
      assert.equal(new Set(ours).size, ours.length, 'a key is set twice');
      for (const name of ours) assert.ok(VARIABLES.has(name), name);
      for (const { name, valueFrom } of env) assert.ok(valueFrom?.secretKeyRef || !name.startsWith('PARLANCE_'), name);
      const keyFile = config.PARLANCE_MASTER_KEY_FILE;
      assert.ok(volumeMounts.some(({ mountPath, readOnly }) => readOnly && keyFile.startsWith(`${mountPath}/`)));
      assert.ok(volumeMounts.some(({ mountPath }) => mountPath === '/tmp'));
    }
  });
  await rule('the configuration is text in the form that the services read', () => {
    for (const [key, value] of Object.entries(config)) assert.equal(typeof value, 'string', key);
    const addresses = JSON.parse(config.PARLANCE_SERVICES);
    const services = of('Service').map(({ metadata }) => `http://${metadata.name}:8080`);
    assert.deepEqual(Object.keys(addresses).toSorted(), SERVICES);
    assert.deepEqual(Object.values(addresses).toSorted(), services.toSorted());
  });
  await rule('what selects a service selects its pods', () => {
    for (const service of SERVICES) {
      const labels = named('Deployment', service).spec.template.metadata.labels;
      const selectors = [named('Service', service).spec.selector, named('Deployment', service).spec.selector.matchLabels];
      for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
        const object = named(kind, service);
        if (object) selectors.push((object.spec.selector ?? object.spec.podSelector).matchLabels);
      }
      for (const selector of selectors) {
        assert.equal(selector['app.kubernetes.io/component'], service);
        assert.deepEqual({ ...labels, ...selector }, labels);
      }
    }
  });
  if (values === 'default') await checkDefault(rule, of);
  if (values === 'minimal') await checkMinimal(rule, of, deployments, config);
  if (values === 'everything') await checkEverything(rule, of, named, config);
}

async function checkDefault(rule, of) {
  await rule('two replicas each, guarded against being drained at once', () => {
    for (const { spec } of of('Deployment')) assert.equal(spec.replicas, 2);
    assert.deepEqual(of('PodDisruptionBudget').map(component).toSorted(), SERVICES);
  });
  await rule('nothing is switched on that needs more than a plain cluster', () => {
    for (const kind of ['Ingress', 'ServiceMonitor', 'HorizontalPodAutoscaler']) assert.deepEqual(of(kind), [], kind);
  });
  await rule('only the edge is reachable from outside the release', () => {
    assert.deepEqual(of('NetworkPolicy').map(component).toSorted(), SERVICES);
    for (const policy of of('NetworkPolicy')) {
      assert.deepEqual(policy.spec.policyTypes, ['Ingress', 'Egress']);
      assert.equal(policy.spec.ingress.length, 1);
      const { from } = policy.spec.ingress[0];
      if (component(policy) === 'edge') assert.equal(from, undefined);
      else
        assert.deepEqual(
          from.map((peer) => Object.keys(peer)),
          [['podSelector']],
        );
    }
  });
}

async function checkMinimal(rule, of, deployments, config) {
  await rule('what is switched off is absent', () => {
    for (const kind of ['NetworkPolicy', 'PodDisruptionBudget']) assert.deepEqual(of(kind), [], kind);
    for (const { spec } of deployments) assert.equal(spec.replicas, 1);
    assert.equal(config.PARLANCE_PUBLIC_BASE_URL, 'https://chat.example.com');
  });
}

async function checkEverything(rule, of, named, config) {
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
    assert.equal(config.PARLANCE_PUBLIC_BASE_URL, 'https://chat.example.com');
  });
  await rule('a service that is scaled by load has no fixed number of replicas', () => {
    assert.deepEqual(
      of('HorizontalPodAutoscaler').map(component).toSorted(),
      SERVICES.filter((name) => name !== 'identity'),
    );
    assert.equal(named('Deployment', 'edge').spec.replicas, undefined);
    assert.equal(named('Deployment', 'identity').spec.replicas, 3);
    assert.equal(named('HorizontalPodAutoscaler', 'inference').spec.maxReplicas, 20);
    assert.equal(named('HorizontalPodAutoscaler', 'inference').spec.minReplicas, 2);
  });
  await rule("the first Admin's secret and the providers' reach identity alone", () => {
    for (const deployment of of('Deployment')) {
      const names = pod(deployment).containers[0].env.map(({ name }) => name);
      for (const key of ['PARLANCE_ADMIN_PASSWORD', 'PARLANCE_OIDC_PROVIDERS'])
        assert.equal(names.includes(key), component(deployment) === 'identity', key);
    }
  });
  await rule('the edge is reachable from the named peers and the release, metrics from theirs', () => {
    const [http, metrics] = named('NetworkPolicy', 'edge').spec.ingress;
    assert.deepEqual(
      http.from.map((peer) => Object.keys(peer)[0]),
      ['podSelector', 'namespaceSelector'],
    );
    assert.equal(metrics.ports[0].port, 'metrics');
  });
  await rule('only services that must may call the world', () => {
    const callers = of('NetworkPolicy').filter(({ spec }) =>
      spec.egress.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')),
    );
    assert.deepEqual(callers.map(component).toSorted(), ['analytics', 'bots', 'identity', 'inference']);
    for (const { spec } of of('NetworkPolicy')) for (const { to, ports } of spec.egress) assert.ok(to || ports[0].port === 4318);
  });
  await rule('pods carry what their service was given', () => {
    const inference = pod(named('Deployment', 'inference'));
    assert.ok(inference.containers[0].env.some(({ name, value }) => name === 'AWS_REGION' && value === 'eu-central-1'));
    assert.match(inference.containers[0].image, /^images\.example\.com\/parlance@sha256:[0-9a-f]{64}$/);
    assert.equal(named('ServiceAccount', 'inference').metadata.annotations['example.com/role'], 'models');
    assert.deepEqual(inference.podSpec.tolerations, [{ key: 'spot', operator: 'Exists' }]);
    assert.equal(named('PodDisruptionBudget', 'bots'), undefined);
  });
  await rule('the ingress and the monitor lead to the services', () => {
    const [{ spec }] = of('Ingress');
    assert.equal(spec.rules[0].http.paths[0].backend.service.name, named('Service', 'edge').metadata.name);
    assert.equal(spec.tls[0].secretName, 'chat-tls');
    const [monitor] = of('ServiceMonitor');
    assert.equal(monitor.metadata.labels.release, 'prometheus');
    for (const service of of('Service')) {
      const { labels } = service.metadata;
      assert.deepEqual({ ...labels, ...monitor.spec.selector.matchLabels }, labels);
      assert.ok(service.spec.ports.some(({ name }) => name === monitor.spec.endpoints[0].port));
    }
  });
}

function pod(object) {
  const podSpec = object.kind === 'Pod' ? object.spec : object.spec.template.spec;
  return { podSpec, containers: podSpec.containers };
}
