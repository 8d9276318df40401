// Two nodes without containers: they bind pods, and report a pod as running and ready if everything that it refers to exists.

const NODES = ['node-1', 'node-2'];

export class Nodes {
  /** While true, new pods run but are not ready. */
  held = false;
  bound = 0;
  waiting = new Map();

  constructor(api) {
    this.api = api;
  }

  async start() {
    for (const name of NODES) {
      await this.api.send('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
      const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
      await this.status(`/api/v1/nodes/${name}`, { conditions, capacity: { cpu: '8', memory: '32Gi', pods: '100' } });
    }
    await this.api.watch('/api/v1/pods', (type, pod) => {
      if (type === 'DELETED') this.waiting.delete(pod.metadata.uid);
      else this.handle(pod).catch((error) => this.seen(error));
    });
    // A pod may wait for secrets that are created later.
    await this.api.watch('/api/v1/secrets', () => this.again());
  }

  release() {
    this.held = false;
    this.again();
  }

  again() {
    for (const pod of this.waiting.values()) this.handle(pod).catch((error) => this.seen(error));
  }

  async handle(pod) {
    const { metadata, spec, status } = pod;
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
    this.waiting.delete(metadata.uid);
    if (metadata.deletionTimestamp) {
      const preconditions = { uid: metadata.uid };
      return void (await this.api.send('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions }));
    }
    if (!spec.nodeName) {
      const target = { kind: 'Node', name: NODES[this.bound++ % NODES.length] };
      const binding = { kind: 'Binding', apiVersion: 'v1', metadata: { name: metadata.name }, target };
      return void (await this.api.send('POST', `${path}/binding`, binding));
    }
    if (isReady(pod) || status.phase === 'Succeeded') return undefined;
    if (spec.restartPolicy === 'Never') return void (await this.status(path, { phase: 'Succeeded' }));
    const lacking = await this.lacking(pod);
    if (this.held || lacking) this.waiting.set(metadata.uid, pod);
    const ready = String(!this.held && !lacking);
    const condition = {
      type: 'Ready',
      status: ready === 'true' ? 'True' : 'False',
      reason: lacking ? 'CreateContainerConfigError' : 'Fake',
    };
    const same = status.conditions?.some((each) => each.type === 'Ready' && each.status === condition.status);
    if (same) return undefined;
    const conditions = [{ ...condition, message: lacking ?? '', lastTransitionTime: new Date().toISOString() }];
    return void (await this.status(path, { phase: lacking ? 'Pending' : 'Running', conditions }));
  }

  /** Describes a secret or a key that a kubelet would not find. */
  async lacking({ metadata: { namespace }, spec }) {
    const refs = spec.containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    const mounted = spec.volumes.flatMap(({ secret }) =>
      secret ? (secret.items ?? []).map(({ key }) => ({ name: secret.secretName, key })) : [],
    );
    for (const { name, key } of [...refs, ...mounted]) {
      const secret = await this.api.get(`/api/v1/namespaces/${namespace}/secrets/${name}`).catch(() => null);
      if (secret?.data?.[key] === undefined) return secret ? `secret ${name} has no key ${key}` : `secret ${name} does not exist`;
    }
    return null;
  }

  status(path, status) {
    return this.api.send('PATCH', `${path}/status`, { status }, 'application/merge-patch+json');
  }

  /** Ignores errors about a pod that is gone or has changed: its next event is handled. */
  seen(error) {
    if (![404, 409].includes(error.status) && !this.api.closing.signal.aborted) console.error(error.message);
  }
}

export const isReady = (pod) => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
