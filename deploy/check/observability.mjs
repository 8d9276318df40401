// The dashboard and the alerts: Prometheus' own parser must accept them, and the services must have their metrics.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { check } from './suite.mjs';

// The services name each metric once: `name: 'parlance_…'`, or `gauge('…'` and `histogram('…'`, which add a prefix.
function metricsOf(root) {
  const source = (file) => readFileSync(join(root, 'libs/observability/src', file), 'utf8');
  const ofProcess = source('metrics/metrics.ts') + source('metrics/model-target-metrics.ts');
  const own = [...ofProcess.matchAll(/name: '(parlance_[a-z_]+)'|gauge\('([a-z_]+)'/g)];
  const ofModels = [...source('gen-ai/model-metrics.ts').matchAll(/histogram\(\s*'([a-z_]+)'/g)];
  return [...own.map(([, whole, short]) => whole ?? `parlance_${short}`), ...ofModels.map(([, short]) => `gen_ai_${short}`)].toSorted();
}

// Other names that begin with gen_ai_ are labels.
const metricsIn = (text) =>
  [...text.matchAll(/parlance_[a-z_]+|gen_ai_(?:client|execute)_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));

export async function checkObservability(root, reader) {
  const rules = join(root, 'deploy/helm/parlance/files/parlance.rules.yaml');
  const dashboard = JSON.parse(readFileSync(join(root, 'deploy/helm/parlance/files/dashboard.json'), 'utf8'));
  const queries = dashboard.panels.flatMap((panel) => panel.targets ?? []).map((target) => target.expr);
  const { groups } = JSON.parse(await run(reader, ['yaml'], { input: readFileSync(rules, 'utf8') }))[0];
  const metrics = metricsOf(root);
  const alerts = groups.flatMap((group) => group.rules);

  await check('Prometheus accepts the alert rules', () => run(reader, ['rules', rules]));
  await check('every alert has a severity, a summary, something to do, and a section of the guide', () => {
    const guide = readFileSync(join(root, 'docs/how-to/alerts.md'), 'utf8');
    const sections = [...guide.matchAll(/^## (Parlance\w+)$/gm)].map(([, name]) => name);
    for (const { alert, labels, annotations } of alerts) {
      assert.match(labels.severity, /^(page|ticket)$/, alert);
      assert.ok(annotations.summary && annotations.description, alert);
      assert.equal(annotations.runbook, `docs/how-to/alerts.md#${alert.toLowerCase()}`);
    }
    assert.deepEqual(
      sections,
      alerts.map(({ alert }) => alert),
    );
  });
  await check('Prometheus accepts every query of the dashboard', () => {
    const concrete = queries.map((query) => query.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*'));
    return run(reader, ['promql'], { input: concrete.join('\n') });
  });
  await check('dashboard and alerts use only existing metrics, and the dashboard uses all of them', () => {
    for (const name of alerts.flatMap(({ expr }) => metricsIn(expr))) assert.ok(metrics.includes(name), name);
    assert.deepEqual([...new Set(queries.flatMap(metricsIn))].toSorted(), metrics);
  });
  await check('the panels of the dashboard have unique ids and one data source', () => {
    const ids = dashboard.panels.map((panel) => panel.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const panel of dashboard.panels) assert.equal(panel.datasource.uid, '${datasource}');
  });
}
