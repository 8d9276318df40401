import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Poll, type RevocationNews, RevocationSource, RevocationWatcher } from '@parlance/revocation';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { PublicationUnderTest } from './publication-under-test.ts';

/** An edge that requests a copy once, and polls for revocations. */
class Edge extends RevocationSource {
  readonly watcher = new RevocationWatcher(this, { onRevoked: (key, isNews) => this.probe(key, isNews) });
  /** Why this edge cannot serve new deployments. */
  failure: string | null = null;
  /** The stages of the deployments that this edge has tried. */
  readonly probed: string[] = [];
  private readonly copies = new Map<string, { readonly revision: string; readonly enabled: boolean }>();

  constructor(private readonly under: PublicationUnderTest) {
    super();
  }

  async poll({ watcher, seen, wait }: Poll): Promise<RevocationNews> {
    return this.get(`/internal/revocations?watcher=${watcher}&wait=${wait}${seen === null ? '' : `&seen=${seen}`}`);
  }

  async revokedOf(keys: readonly string[]): Promise<readonly string[]> {
    return (await this.get<{ revoked: readonly string[] }>(`/internal/revocations/state?keys=${keys.join(',')}`)).revoked;
  }

  /** Whether the edge accepts the key. It uses its copies while they are valid. */
  async accepts(apiId: string, keyId: string): Promise<boolean> {
    const parts = [`/internal/published/${apiId}`, `/internal/published/${apiId}/keys/${keyId}`];
    for (const path of parts) {
      const copy = this.copies.get(path) ?? (await this.get<{ revision?: string; enabled: boolean }>(path));
      if (copy.revision === undefined) return false;
      const { revision, enabled = true } = copy;
      if (await this.watcher.anyRevoked([revision])) {
        this.copies.delete(path);
        const fresh = await this.get<{ revision?: string; enabled: boolean }>(path);
        if (fresh.revision === undefined || fresh.revision === revision || fresh.enabled === false) return false;
        this.copies.set(path, { revision: fresh.revision, enabled: fresh.enabled ?? true });
      } else {
        if (!enabled) return false;
        this.copies.set(path, { revision, enabled });
      }
    }
    return true;
  }

  private async probe(key: string, isNews: boolean): Promise<void> {
    if (!isNews || !key.startsWith('address:')) return;
    const path = `/internal/deployments/${key.slice('address:'.length)}`;
    this.probed.push((await this.get<{ stage: string }>(path)).stage);
    if (this.failure) await this.under.ask('POST', `${path}/failures`, this.under.service.asService('edge'), { reason: this.failure });
  }

  private async get<Answered>(path: string): Promise<Answered> {
    return (await this.under.ask('GET', path, this.under.service.asService('edge'))).body as Answered;
  }
}

describe('an edge that keeps copies of publications and keys', () => {
  let under: PublicationUnderTest;
  let edges: Edge[];
  beforeAll(async () => {
    under = await PublicationUnderTest.start();
    edges = [new Edge(under), new Edge(under)];
    for (const { watcher } of edges) watcher.start();
    await waitFor(() => edges.every(({ watcher }) => watcher.isFresh), { what: 'the edges to watch' });
  });
  afterAll(async () => {
    await Promise.all(edges.map(({ watcher }) => watcher.stop()));
    await under.stop();
  });

  const servedKey = async () => {
    const botId = await under.publishedBot();
    const path = `/bot/${botId}/publication`;
    const apiId = (await under.ask('GET', path, under.owner())).body.codebuild_id.toLowerCase() as string;
    const keyId = (await under.createKey(botId)).body.id as string;
    const accepted = () => Promise.all(edges.map((edge) => edge.accepts(apiId, keyId)));
    expect(await accepted()).toEqual([true, true]);
    return { path, keyId, accepted };
  };

  it.each<[string, (path: string, keyId: string) => Promise<unknown>]>([
    ['the key is revoked', (path, keyId) => under.ask('DELETE', `${path}/api-key/${keyId}`, under.owner())],
    ['the key is disabled', (path, keyId) => under.ask('PATCH', `${path}/api-key/${keyId}`, under.owner(), { enabled: false })],
    ['the publication is removed', (path) => under.ask('DELETE', path, under.owner())],
    ['the owner is erased', () => under.ask('POST', '/internal/erasures', under.service.asService('identity'), { user_id: 'ann' })],
  ])('does not accept a key after the answer that %s', async (_, revoke) => {
    for (let n = 0; n < 10; n++) {
      const { path, keyId, accepted } = await servedKey();
      await revoke(path, keyId);
      expect(await accepted()).toEqual([false, false]);
    }
  });
  it('tries each new deployment, which fails when one edge cannot serve it', async () => {
    const botId = newId();
    under.bots.owners.set(botId, 'ann');
    edges[1]!.failure = 'An edge could not serve the API: Try again.';
    await under.publish(botId, { stage: 'prod' });
    const { body } = await under.settled(botId);
    expect([body.codebuild_status, body.cfn_status, body.codebuild_status_reason]).toEqual([
      'FAILED',
      'ROLLBACK_COMPLETE',
      edges[1]!.failure,
    ]);
    expect([under.bots.held.has(botId), edges.map(({ probed }) => probed.at(-1))]).toEqual([false, ['prod', 'prod']]);
    edges[1]!.failure = null;
    await under.publish(botId, { stage: 'prod' });
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
  it('gets a deployment only while it is in progress, and cannot end it later', async () => {
    const botId = await under.publishedBot();
    const apiId = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body.codebuild_id.toLowerCase() as string;
    const ask = (method: string, path: string, body?: object) =>
      under.ask(method, `/internal/deployments/${path}`, under.service.asService('edge'), body);
    expect((await ask('GET', apiId)).body.code).toBe('deployment_not_found');
    for (const id of [apiId, newId().toLowerCase()])
      expect((await ask('POST', `${id}/failures`, { reason: 'It was late.' })).status).toBe(204);
    expect((await under.settled(botId)).body.codebuild_status).toBe('SUCCEEDED');
  });
  it('does not remember an address as unknown after the deployment', async () => {
    const botId = await under.publishedBot();
    const { codebuild_id } = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body;
    const revoked = await Promise.all(edges.map(({ watcher }) => watcher.anyRevoked([`address:${codebuild_id.toLowerCase()}`])));
    expect(revoked).toEqual([true, true]);
  });
  it('continues with a new copy after a change that takes no right away', async () => {
    const { path, keyId, accepted } = await servedKey();
    await under.ask('PATCH', path, under.owner(), { throttle: { rate_limit: 7 } });
    expect(await accepted()).toEqual([true, true]);
    await under.ask('PATCH', `${path}/api-key/${keyId}`, under.owner(), { enabled: false });
    await under.ask('PATCH', `${path}/api-key/${keyId}`, under.owner(), { enabled: true });
    expect(await accepted()).toEqual([true, true]);
  });
});
