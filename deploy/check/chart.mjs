// The chart: linted, rendered under three sets of values, each rendering held against the API's own schemas and our rules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS, SERVICES } from './config-keys.mjs';
import { kubernetesSchemas } from './kubernetes-schemas.mjs';
import { checkRendered } from './rendered.mjs';
import { run } from './run.mjs';
import { check } from './suite.mjs';
import { KUBERNETES } from './tools.mjs';

// These come from values of their own, from secrets, differ from pod to pod (replicaUrl: each pod finds its own), or are no matter of a cluster (dataDir, the key itself, and auditHeadFile: there the head leaves by the log).
const SET_BY_CHART = [
  'adminEmail',
  'adminPassword',
  'auditHeadFile',
  'dataDir',
  'host',
  'kafkaBrokers',
  'internetSearch',
  'mcpServers',
  'knowledgeS3',
  'logLevel',
  'masterKey',
  'masterKeyFile',
  'metricsPort',
  'models',
  'mongoUri',
  'objectStore',
  'oidcProviders',
  'otlpEndpoint',
  'port',
  'publicBaseUrl',
  'replicaUrl',
  'reranker',
  'retrievers',
  'services',
];

// Values that the schema has to refuse, each with the word that its refusal must contain.
const BAD = [
  ['an unknown key', 'replicaCount: 2', 'replicaCount'],
  ['an unknown key of a service', 'services: { edge: { replica: 2 } }', 'replica'],
  ['an unknown service', 'services: { search: {} }', 'search'],
  ['an unknown key of the configuration', 'config: { tokenMinutes: 5 }', 'tokenMinutes'],
  ['replicas as text', 'defaults: { replicas: two }', 'replicas'],
  ['no replicas', 'services: { edge: { replicas: 0 } }', 'replicas'],
  ['a service that is taken away', 'services: { edge: null }', 'edge'],
  ['brokers as one text', 'kafka: { brokers: "kafka:9092" }', 'brokers'],
  ['a broker without a port', 'kafka: { brokers: [kafka] }', 'brokers'],
  ['no secret for the master key', 'masterKey: { existingSecret: "" }', 'masterKey'],
  ['the secret itself', 'mongo: { uri: "mongodb://mongo" }', 'uri'],
  ['a public address that is no address', 'publicBaseUrl: chat.example.com', 'publicBaseUrl'],
  ['a public address with a slash at its end', 'publicBaseUrl: https://chat.example.com/', 'publicBaseUrl'],
  ['an ingress without a host', 'ingress: { enabled: true }', 'host'],
  ['a level that does not exist', 'logLevel: loud', 'logLevel'],
  ['a configuration value of the wrong type', 'config: { selfSignUpEnabled: "no" }', 'selfSignUpEnabled'],
  ['a value beyond its bounds', 'config: { tokenValidMinutes: 1441 }', 'tokenValidMinutes'],
  ['an origin with a path', 'config: { consoleOrigins: ["https://console.example.com/"] }', 'consoleOrigins'],
  ['providers past their secret', 'oidcProviders: { corporate: { client_secret: x } }', 'oidcProviders'],
  ['retrievers past their secret', 'retrievers: { wiki: { token: x } }', 'retrievers'],
  ['servers of tools past their secret', 'mcpServers: { wiki: { api_key: x } }', 'mcpServers'],
  ['a search past its secret', 'internetSearch: { api_key: x }', 'internetSearch'],
  ['a session without an end', 'config: { sessionValidDays: 0 }', 'sessionValidDays'],
  ['a comma inside a list that is passed on by commas', 'config: { autoJoinUserGroups: ["a,b"] }', 'autoJoinUserGroups'],
  ['our own variables past the configuration', 'defaults: { extraEnv: [{ name: PARLANCE_PORT, value: "1" }] }', 'extraEnv'],
];

export async function checkChart(root, { helm, kubeconform, kubernetesSources, reader }) {
  const chart = join(root, 'deploy/helm/parlance');
  const values = (name) => (name === 'default' ? [] : ['--values', join(root, `deploy/check/values/${name}.yaml`)]);
  const schemas = await kubernetesSchemas(kubernetesSources, join(root, `.cache/kubernetes-schemas-${KUBERNETES}`));

  await Promise.all([
    check('every key of the configuration is either in the values schema or set by the chart itself', () => {
      const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
      assert.deepEqual([...Object.keys(schema.properties.config.properties), ...SET_BY_CHART].toSorted(), KEYS);
      assert.deepEqual(Object.keys(schema.properties.services.properties).toSorted(), SERVICES);
    }),
    check('the chart and the image have the version of the workspace', () => {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
      assert.match(text, new RegExp(`^version: ${version}$`, 'm'));
      assert.match(text, new RegExp(`^appVersion: ${version}$`, 'm'));
      assert.ok(readFileSync(join(root, 'docker-compose.yml'), 'utf8').includes(`image: parlance:${version}`));
    }),
  ]);
  for (const name of ['default', 'minimal', 'everything']) {
    let rendered = '';
    await check(`helm lint --strict passes with ${name} values`, () => run(helm, ['lint', '--strict', chart, ...values(name)]));
    await check(`the chart and its notes render with ${name} values`, async () => {
      rendered = await run(helm, ['template', 'parlance', chart, '--namespace', 'chat', ...values(name)]);
    });
    await check(`the API's schemas accept every object rendered with ${name} values`, async () => {
      // A ServiceMonitor is the Prometheus operator's own; what it must hold is checked with the other rules.
      const args = ['-strict', '-summary', '-output', 'text', '-skip', 'ServiceMonitor', '-schema-location', schemas];
      const summary = await run(kubeconform, args, { input: rendered });
      assert.match(summary, /Invalid: 0, Errors: 0, Skipped: [01]\b/);
      assert.match(summary, /Valid: [1-9]/);
    });
    const objects = JSON.parse(await run(reader, ['yaml'], { input: rendered }));
    await checkRendered(name, objects);
  }
  await check('the schemas refuse a field that the API does not know', async () => {
    const input = 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { port: 1 }\n';
    await assert.rejects(
      run(kubeconform, ['-strict', '-schema-location', schemas], { input }),
      /additional(Properties| properties) 'port'/,
    );
  });
  await check('the chart refuses to end a pod before its shutdown is over', async () => {
    const input = 'config: { shutdownGraceSeconds: 60 }';
    await assert.rejects(
      run(helm, ['template', 'parlance', chart, '--values', '-'], { input }),
      /terminationGracePeriodSeconds has to exceed/,
    );
  });
  await check('the chart refuses one replica of bots with enableRagReplicas', async () => {
    const template = (input) => run(helm, ['template', 'parlance', chart, '--values', '-'], { input });
    const one = 'services: { bots: { replicas: 1 } }';
    await assert.rejects(template(`config: { enableRagReplicas: true }\n${one}`), /enableRagReplicas needs at least two replicas/);
    await template(one);
    await template('config: { enableRagReplicas: true }');
  });
  await Promise.all(
    BAD.map(([what, text, word]) =>
      check(`the values schema refuses ${what}`, () =>
        assert.rejects(run(helm, ['template', 'parlance', chart, '--values', '-'], { input: text }), (error) => {
          assert.match(error.message, /values don't meet the specifications of the schema/);
          assert.ok(error.message.includes(word), error.message);
          return true;
        }),
      ),
    ),
  );
}
