// The chart: linted, rendered under three sets of values, each rendering held against the API's own schemas and our rules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BAD } from './bad-values.mjs';
import { checkContradictions } from './contradictions.mjs';
import { KEYS, SERVICES } from './config-keys.mjs';
import { kubernetesSchemas } from './kubernetes-schemas.mjs';
import { checkRendered } from './rendered.mjs';
import { run } from './run.mjs';
import { check } from './suite.mjs';
import { KUBERNETES } from './tools.mjs';

// These come from values of their own, from secrets, differ from pod to pod (replicaUrl: each pod finds its own), or are no matter of a cluster (dataDir, backupDir, the key itself, and auditHeadFile: there the head leaves by the log).
const SET_BY_CHART = [
  'adminEmail',
  'adminPassword',
  'auditHeadFile',
  'backupDir',
  'dataDir',
  'guardrails',
  'host',
  'kafkaBrokers',
  'kafkaSecurity',
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
  'smtpUrl',
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
    check('the values schema allows no unknown key anywhere', () => {
      const { properties, definitions } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
      // Helm itself adds `global`.
      const { global, ...own } = properties;
      assert.deepEqual(global, { type: 'object' });
      const visit = (schema, path) => {
        if (typeof schema !== 'object' || schema === null) return;
        if (schema.type === 'object') assert.ok(schema.additionalProperties !== undefined, `${path} allows unknown keys`);
        for (const [key, inner] of Object.entries(schema)) visit(inner, `${path}.${key}`);
      };
      visit({ own, definitions }, 'schema');
    }),
    check('the chart and the image have the version of the workspace', () => {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
      assert.match(text, new RegExp(`^version: ${version}$`, 'm'));
      assert.match(text, new RegExp(`^appVersion: ${version}$`, 'm'));
      assert.ok(readFileSync(join(root, 'docker-compose.yml'), 'utf8').includes(`:-parlance:${version}}`));
    }),
  ]);
  const dashboard = JSON.parse(readFileSync(join(chart, 'files/dashboard.json'), 'utf8'));
  const [alerts] = JSON.parse(await run(reader, ['yaml'], { input: readFileSync(join(chart, 'files/parlance.rules.yaml'), 'utf8') }));
  const files = { alerts, dashboard };
  for (const name of ['default', 'minimal', 'everything']) {
    let rendered = '';
    await check(`helm lint --strict passes with ${name} values`, () => run(helm, ['lint', '--strict', chart, ...values(name)]));
    await check(`the chart and its notes render with ${name} values`, async () => {
      rendered = await run(helm, ['template', 'parlance', chart, '--namespace', 'chat', ...values(name)]);
    });
    await check(`the API's schemas accept every object rendered with ${name} values`, async () => {
      // These are the Prometheus operator's own; what they must hold is checked with the other rules.
      const args = ['-strict', '-summary', '-output', 'text', '-skip', 'ServiceMonitor,PrometheusRule', '-schema-location', schemas];
      const summary = await run(kubeconform, args, { input: rendered });
      assert.match(summary, /Invalid: 0, Errors: 0, Skipped: [02]\b/);
      assert.match(summary, /Valid: [1-9]/);
    });
    const objects = JSON.parse(await run(reader, ['yaml'], { input: rendered }));
    await checkRendered(name, objects, files);
  }
  await check('the schemas refuse a field that the API does not know', async () => {
    const input = 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { port: 1 }\n';
    await assert.rejects(
      run(kubeconform, ['-strict', '-schema-location', schemas], { input }),
      /additional(Properties| properties) 'port'/,
    );
  });
  await checkContradictions(helm, chart);
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
