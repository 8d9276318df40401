// Rules for rendered objects that the API's schemas do not check.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SERVICES, VARIABLES } from './config-keys.mjs';
import { component, configOf, pod } from './objects.mjs';
import { checkEverything } from './rendered-everything.mjs';
import { secretsReadBy } from './secrets.mjs';
import { check } from './suite.mjs';

const { nodeFlags } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).config;

export async function checkRendered(values, objects, files) {
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const named = (kind, service) => of(kind).find((object) => component(object) === service);
  const deployments = of('Deployment');
  const config = configOf(deployments[0]);
  const rule = (text, body) => check(`${text}, with ${values} values`, body);

  await rule('every service has a Deployment, a Service and a ServiceAccount', () => {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount']) assert.deepEqual(of(kind).map(component).toSorted(), SERVICES, kind);
  });
  await rule('no object holds a secret', () => {
    assert.deepEqual(of('Secret'), []);
    for (const deployment of deployments) assert.deepEqual(configOf(deployment), config);
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
      // This port opens before that of the service, so that a start that waits for its servers is not ended.
      assert.deepEqual(startupProbe.httpGet, { path: '/health/start', port: 'metrics' });
      assert.equal(livenessProbe.httpGet.path, '/health/live');
      assert.equal(readinessProbe.httpGet.path, '/health/ready');
      assert.ok(deployment.spec.progressDeadlineSeconds > startupProbe.failureThreshold * startupProbe.periodSeconds);
      assert.ok(lifecycle.preStop.sleep.seconds < podSpec.terminationGracePeriodSeconds);
      assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
      assert.equal(podSpec.topologySpreadConstraints.length, 2);
    }
  });
  await rule('every service runs its own program with only known keys', () => {
    for (const deployment of deployments) {
      const [{ command, env, envFrom, volumeMounts }] = pod(deployment).containers;
      assert.deepEqual(command, ['node', ...nodeFlags, `apps/${component(deployment)}/dist/main.js`]);
      // A ConfigMap would be shared by the replicas of an earlier and a later rollout.
      assert.equal(envFrom, undefined);
      const ours = env.map(({ name }) => name).filter((name) => name.startsWith('PARLANCE_'));
      assert.equal(new Set(ours).size, ours.length, 'a key is set twice');
      for (const name of ours) assert.ok(VARIABLES.has(name), name);
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
  await rule('selectors of a service select its pods', () => {
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
  await rule('labels are legal', () => {
    const labelsOf = (value) => (Array.isArray(value) ? value : Object.values(value ?? {})).filter((inner) => typeof inner === 'object');
    const visit = (value) => {
      for (const [key, text] of Object.entries({ ...value?.labels, ...value?.matchLabels })) {
        assert.equal(typeof text, 'string', key);
        assert.match(text, /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/, key);
      }
      labelsOf(value).forEach(visit);
    };
    visit(objects);
  });
  await rule('each service gets the secrets that its code reads and no others', () => {
    for (const deployment of deployments) {
      const service = component(deployment);
      const given = pod(deployment)
        .containers[0].env.filter(({ name, valueFrom }) => valueFrom && name.startsWith('PARLANCE_'))
        .map(({ name }) => name);
      const read = secretsReadBy(service);
      if (values === 'everything') assert.deepEqual(given.toSorted(), read, service);
      else for (const name of given) assert.ok(read.includes(name), `${service} gets ${name}`);
    }
  });
  if (values === 'default') await checkDefault(rule, of);
  if (values === 'minimal') await checkMinimal(rule, of, deployments, config);
  if (values === 'everything') await checkEverything(rule, of, named, config, files);
}

async function checkDefault(rule, of) {
  await rule('each service has two replicas, which cannot be drained at once', () => {
    for (const { spec } of of('Deployment')) assert.equal(spec.replicas, 2);
    assert.deepEqual(of('PodDisruptionBudget').map(component).toSorted(), SERVICES);
  });
  await rule('nothing that needs more than a plain cluster is switched on', () => {
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
  await rule('features that are switched off are absent', () => {
    for (const kind of ['NetworkPolicy', 'PodDisruptionBudget']) assert.deepEqual(of(kind), [], kind);
    for (const { spec } of deployments) assert.equal(spec.replicas, 1);
    assert.equal(config.PARLANCE_PUBLIC_BASE_URL, 'https://chat.example.com');
  });
}
