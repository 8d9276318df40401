// Values that the schema accepts separately but the chart refuses in combination, and names that Kubernetes would refuse.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';
import { check } from './suite.mjs';

const INGRESS = 'ingress: { enabled: true, host: chat.example.com }';

const REFUSED = [
  ['to end a pod before its shutdown is over', 'config: { shutdownGraceSeconds: 60 }', /terminationGracePeriodSeconds has to exceed/],
  [
    'one replica of bots with enableRagReplicas',
    'config: { enableRagReplicas: true }\nservices: { bots: { replicas: 1 } }',
    /enableRagReplicas needs at least two replicas/,
  ],
  [
    'an autoscaler whose least number of replicas exceeds its greatest',
    'services: { edge: { autoscaling: { enabled: true, minReplicas: 7 } } }',
    /edge: autoscaling\.minReplicas \(7\) exceeds autoscaling\.maxReplicas \(6\)/,
  ],
  [
    'an autoscaler without a request for CPU',
    'services: { edge: { autoscaling: { enabled: true } } }\ndefaults: { resources: { requests: { cpu: null } } }',
    /edge: autoscaling compares the CPU used with the CPU requested/,
  ],
  [
    'a broker at a port that its network policy does not open',
    'kafka: { brokers: [kafka-0:9092, kafka-1:9096] }',
    /networkPolicy\.kafka\.ports does not open the port of the broker kafka-1:9096\. Add 9096 to it/,
  ],
  ['topics with one copy', 'config: { kafkaReplicationFactor: 1 }', /kafkaReplicationFactor is 1.*config\.allowSingleBroker/],
  ['writes that wait for more copies than there are', 'config: { kafkaMinInsyncReplicas: 4 }', /kafkaMinInsyncReplicas exceeds/],
  ['an ingress without trustedProxies', INGRESS, /ingress\.enabled needs config\.trustedProxies/],
];

const ACCEPTED = [
  ['one replica of bots', 'services: { bots: { replicas: 1 } }'],
  ['enableRagReplicas with two replicas', 'config: { enableRagReplicas: true }'],
  ['an autoscaler with equal bounds', 'services: { edge: { autoscaling: { enabled: true, minReplicas: 6 } } }'],
  ['bounds of an autoscaler that is switched off', 'services: { edge: { autoscaling: { minReplicas: 7 } } }'],
  ['an ingress with trustedProxies', `${INGRESS}\nconfig: { trustedProxies: [10.0.0.0/8] }`],
  ['a broker at an opened port', 'kafka: { brokers: [kafka-0:9096] }\nnetworkPolicy: { kafka: { ports: [9092, 9096] } }'],
  ['a broker at any port without network policies', 'kafka: { brokers: [kafka-0:9096] }\nnetworkPolicy: { enabled: false }'],
  ['a single broker that is allowed', 'config: { kafkaReplicationFactor: 1, allowSingleBroker: true }'],
  ['a half of a CPU as a number', 'defaults: { resources: { requests: { cpu: 0.5 } } }'],
  [
    'a selector with values',
    'networkPolicy: { edgeFrom: [{ namespaceSelector: { matchExpressions: [{ key: example.com/zone, operator: In, values: [a, ""] }] } }] }',
  ],
  ['sizes in Ti', 'services: { analytics: { tmpSizeLimit: 1Ti } }'],
  ['identifiers that the cluster assigns', 'defaults: { podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } }'],
];

export async function checkContradictions(helm, chart) {
  const template = (input, place = chart, release = 'parlance') => run(helm, ['template', release, place, '--values', '-'], { input });
  await Promise.all([
    ...REFUSED.map(([what, values, message]) => check(`the chart refuses ${what}`, () => assert.rejects(template(values), message))),
    ...ACCEPTED.map(([what, values]) => check(`the chart accepts ${what}`, () => template(values))),
    check('a service monitor opens the port of the metrics, and without one it is closed', async () => {
      const opened = (text) => text.includes('port: metrics, protocol: TCP');
      assert.equal(opened(await template('serviceMonitor: { enabled: true }')), true);
      assert.equal(opened(await template('')), false);
    }),
    check('a dollar sign in the configuration is not taken for a reference by Kubernetes', async () => {
      const rendered = await template('publicBaseUrl: https://chat.example.com/$(HOME)');
      assert.ok(rendered.includes('value: "https://chat.example.com/$$(HOME)"'));
    }),
    check('an identifier that the cluster assigns is absent from the pods', async () => {
      const rendered = await template(ACCEPTED.at(-1)[1]);
      assert.ok(!rendered.includes('runAsUser') && rendered.includes('runAsNonRoot: true'));
    }),
    check('labels are legal for every version and name of a release', async () => {
      const copy = mkdtempSync(join(tmpdir(), 'parlance-chart-'));
      try {
        cpSync(chart, copy, { recursive: true });
        const manifest = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
        const version = `1.0.0-rc.1+${'a'.repeat(60)}`;
        writeFileSync(join(copy, 'Chart.yaml'), manifest.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
        for (const release of ['1e3', 'a'.repeat(53), 'true']) {
          const rendered = await template('', copy, release);
          for (const [line, value] of rendered.matchAll(/^ *(?:app\.kubernetes\.io\/[a-z-]+|helm\.sh\/chart): (.*)$/gm))
            assert.match(value, /^("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"|parlance)$/, line);
          for (const [line, name] of rendered.matchAll(/^ {2}name: (.*)$/gm)) assert.ok(name.length <= 63, line);
          assert.match(rendered, /image: "parlance:1\.0\.0-rc\.1_a+"/);
        }
      } finally {
        rmSync(copy, { recursive: true });
      }
    }),
  ]);
}
