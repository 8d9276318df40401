import { component } from '../check/objects.mjs';
import { run } from '../check/run.mjs';
import { Api } from './api.mjs';
import { isReady } from './nodes.mjs';
import { until } from './until.mjs';

export const SECRETS = { 'parlance-master-key': ['master-key'], 'parlance-mongo': ['uri'], 'parlance-object-store': ['config.json'] };

/** The chart on the API server. */
export class World {
  constructor({ root, api, nodes, env }) {
    Object.assign(this, { root, api, nodes, env });
  }

  run(program, ...args) {
    return run(program, args, { env: this.env, cwd: this.root });
  }

  helm(namespace, ...args) {
    return this.run('helm', '--namespace', namespace, ...args);
  }

  kubectl(namespace, ...args) {
    return this.run('kubectl', '--namespace', namespace, ...args);
  }

  /** Creates a namespace that enforces Pod Security `restricted`, with the secrets that the chart needs. */
  async namespace(name) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/enforce-version': 'latest' };
    await this.api.send('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    await until('the namespace has its default account', () => this.api.get(`/api/v1/namespaces/${name}/serviceaccounts/default`));
    for (const [secret, keys] of Object.entries(SECRETS)) await this.secret(name, secret, keys);
  }

  secret(namespace, name, keys) {
    const stringData = Object.fromEntries(keys.map((key) => [key, 'x']));
    return this.api.send('POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name }, stringData });
  }

  deployment(namespace, name) {
    return this.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
  }

  deployments(namespace) {
    return this.api.list(`/apis/apps/v1/namespaces/${namespace}/deployments`);
  }

  async pods(namespace, service) {
    const selector = service ? `app.kubernetes.io/component=${service}` : '';
    const pods = await this.api.list(`/api/v1/namespaces/${namespace}/pods`, selector);
    return pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  }

  async readyPods(namespace, service) {
    return (await this.pods(namespace, service)).filter(isReady);
  }

  /** Waits until every rollout of the namespace is over. */
  async settled(namespace) {
    const rollouts = until('every rollout is complete', async () => {
      const deployments = await this.deployments(namespace);
      return deployments.every(({ metadata, spec, status }) => {
        const counts = [status.replicas, status.updatedReplicas, status.readyReplicas, status.availableReplicas];
        return status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas);
      });
    });
    await rollouts.catch(async (error) => {
      const messages = (await this.pods(namespace)).flatMap(({ status }) => status.conditions?.map(({ message }) => message) ?? []);
      throw new Error([error.message, ...new Set(messages.filter(Boolean))].join('\n'), { cause: error });
    });
  }

  /**
   * Calls `action` and waits for the rollouts. Returns, by service, the lowest number of requested replicas and the lowest number of ready
   * pods that are not being removed. Both are counted at every change.
   */
  async watched(namespace, action) {
    const [requested, pods, least] = [{}, new Map(), {}];
    let isCounting = false;
    const count = () => {
      if (!isCounting) return;
      const serving = [...pods.values()].filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp);
      for (const [service, replicas] of Object.entries(requested)) {
        const ready = serving.filter((pod) => component(pod) === service).length;
        const before = (least[service] ??= { requested: replicas, ready });
        least[service] = { requested: Math.min(before.requested, replicas), ready: Math.min(before.ready, ready) };
      }
    };
    const watching = new Api(this.api.base);
    await watching.watch(`/apis/apps/v1/namespaces/${namespace}/deployments`, (_, deployment) => {
      requested[component(deployment)] = deployment.spec.replicas;
      count();
    });
    await watching.watch(`/api/v1/namespaces/${namespace}/pods`, (type, pod) => {
      if (type === 'DELETED') pods.delete(pod.metadata.uid);
      else pods.set(pod.metadata.uid, pod);
      count();
    });
    isCounting = true;
    count();
    try {
      await action();
      await this.settled(namespace);
    } finally {
      watching.close();
    }
    return least;
  }
}
