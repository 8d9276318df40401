import { once } from 'node:events';
import { type Admitted, ApiLimits, type LimitedKey } from '../../src/http/published/api-limits.ts';
import { newId } from '@parlance/event-store';
import { mintApiKey } from '@parlance/http';
import { RevocationWatcher } from '@parlance/revocation';
import { waitFor } from '@parlance/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicationRevocationWatcher } from '../../src/adapters/publication-revocation-watcher.ts';
import { answerRevocations, type Revoking } from '../revocations.ts';
import { type EdgeUnderTest, edgeWith, type RigOptions, statementIn, stub } from '../rig.ts';

interface Api {
  revision: number;
  bot_id: string;
  owner_user_id: string;
  stage: string;
  quota: LimitedKey['quota'];
  throttle: LimitedKey['throttle'];
  allowed_origins: readonly string[];
}

interface Key {
  revision: number;
  api_id: string;
  hash: string;
  enabled: boolean;
  expires_at: number | null;
  allowed_ip_ranges: readonly string[];
}

/** A stand-in for the publication service, whose rules have specs in that service. */
export class Publications {
  readonly service = stub('publication');
  readonly revoking: Revoking = answerRevocations(this.service);
  readonly apis = new Map<string, Api>();
  readonly keys = new Map<string, Key>();
  /** The deployments in progress. */
  readonly deployments = new Map<string, Api>();
  /** Which deployments could not be served, and why. */
  readonly failures: { readonly apiId: string; readonly reason: string }[] = [];
  /** How many times copies were requested. */
  asked = 0;
  /** Answers about keys wait until this resolves. */
  keysAnswer: Promise<void> = Promise.resolve();

  constructor() {
    const missing = (reply: FastifyReply, code: string) =>
      reply
        .code(404)
        .type('application/problem+json')
        .send(JSON.stringify({ code, detail: 'Not found.' }));
    this.service.get<{ Params: { api: string } }>('/internal/published/:api', ({ params: { api } }, reply) => {
      this.asked += 1;
      const copy = this.apis.get(api);
      return copy
        ? { ...copy, api_id: api, revision: `publication:${api}/${copy.revision}`, copy_seconds: 3_600 }
        : missing(reply, 'not_published');
    });
    this.service.get<{ Params: { api: string } }>('/internal/deployments/:api', ({ params: { api } }, reply) => {
      const copy = this.deployments.get(api);
      return copy
        ? { ...copy, api_id: api, revision: `publication:${api}/1`, copy_seconds: 3_600 }
        : missing(reply, 'deployment_not_found');
    });
    this.service.post<{ Params: { api: string }; Body: { reason: string } }>('/internal/deployments/:api/failures', (request, reply) => {
      this.failures.push({ apiId: request.params.api, reason: request.body.reason });
      return reply.code(204).send();
    });
    this.service.get<{ Params: { api: string; key: string } }>(
      '/internal/published/:api/keys/:key',
      async ({ params: { api, key } }, reply) => {
        this.asked += 1;
        await this.keysAnswer;
        const copy = this.keys.get(key);
        if (copy?.api_id !== api || !this.apis.has(api)) return missing(reply, 'api_key_not_found');
        return { ...copy, key_id: key, revision: `api-key:${key}/${copy.revision}`, copy_seconds: 3_600 };
      },
    );
  }

  /** Starts a deployment, and resolves when all edges have probed it. */
  async deploy(more: Partial<Api> = {}, apiId = newId().toLowerCase()): Promise<string> {
    this.publish(more, apiId);
    this.deployments.set(apiId, this.apis.get(apiId)!);
    this.apis.delete(apiId);
    await this.revoking.revoke(`address:${apiId}`);
    return apiId;
  }

  /** Publishes a bot and returns the ID of its API. */
  publish(more: Partial<Api> = {}, apiId = newId().toLowerCase()): string {
    const usual = {
      revision: 1,
      bot_id: `bot-${apiId}`,
      owner_user_id: `owner-${apiId}`,
      stage: 'api',
      quota: null,
      allowed_origins: ['*'],
    };
    this.apis.set(apiId, { ...usual, throttle: { rate_limit: 50, burst_limit: 100 }, ...more });
    return apiId;
  }

  createKey(apiId: string, more: Partial<Key> = {}): { readonly keyId: string; readonly value: string } {
    const keyId = newId();
    const { value, hash } = mintApiKey(keyId);
    const usual = { revision: 1, api_id: apiId, hash, enabled: true, expires_at: null, allowed_ip_ranges: [] };
    this.keys.set(keyId, { ...usual, ...more });
    return { keyId, value };
  }

  /** Resolves when the PATCH is answered. */
  async change(apiId: string, change: Partial<Api>): Promise<void> {
    const before = this.apis.get(apiId)!;
    this.apis.set(apiId, { ...before, ...change, revision: before.revision + 1 });
    await this.revoking.revoke(`publication:${apiId}/${before.revision}`);
  }

  async unpublish(apiId: string): Promise<void> {
    const { revision } = this.apis.get(apiId)!;
    this.apis.delete(apiId);
    await this.revoking.revoke(`publication:${apiId}/${revision}`);
  }

  async changeKey(keyId: string, change: Partial<Key>): Promise<void> {
    const before = this.keys.get(keyId)!;
    this.keys.set(keyId, { ...before, ...change, revision: before.revision + 1 });
    await this.revoking.revoke(`api-key:${keyId}/${before.revision}`);
  }

  async revokeKey(keyId: string): Promise<void> {
    const { revision } = this.keys.get(keyId)!;
    this.keys.delete(keyId);
    await this.revoking.revoke(`api-key:${keyId}/${revision}`);
  }
}

const secured = { security: [{ apiKey: [] }] };
const parameters = [
  { name: 'apiId', in: 'path', required: true, schema: { type: 'string' } },
  { name: 'stage', in: 'path', required: true, schema: { type: 'string' } },
];
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const asked = json({ properties: { bot_title: {}, message: { $ref: '#/components/schemas/Asked' } } });
const stream = { 200: { content: { 'text/event-stream': {} } } };
const base = '/published/{apiId}/{stage}';
const reading = {
  parameters: [...parameters, { name: 'page_size', in: 'query', schema: {} }],
  responses: { 200: json({ properties: { made_by: {} } }) },
};
const paths = {
  [`${base}/conversation`]: {
    post: {
      operationId: 'ask',
      ...secured,
      parameters,
      requestBody: asked,
      responses: { 202: json({ properties: { made_by: {} } }) },
      'x-starts-work': true,
    },
  },
  [`${base}/conversation/{id}`]: { get: { operationId: 'read', ...secured, ...reading } },
  [`${base}/conversation/{id}/stream`]: { get: { operationId: 'follow', ...secured, parameters, responses: stream } },
  [`${base}/v1/chat/completions`]: {
    post: { operationId: 'complete', ...secured, parameters, requestBody: asked, responses: stream, 'x-takes-idempotency-key': true },
  },
  [`${base}/v1/models`]: { get: { operationId: 'models', ...secured, parameters, responses: { 200: {} } } },
  [`${base}/mcp`]: { post: { operationId: 'mcp', ...secured, parameters, requestBody: asked, responses: stream } },
};
const schemas = {
  Asked: { properties: { parts: { items: { $ref: '#/components/schemas/Part' } } } },
  Part: { type: 'string' },
  Unused: {},
};

/** A stand-in for inference that echoes the requests that reach it. */
function inference() {
  const service = Object.assign(stub('inference', paths, schemas), { served: 0, endedEarly: 0, newIds: [] as (string | undefined)[] });
  // Each streamed answer listens to one of its events.
  service.server.setMaxListeners(100);
  const echo = async (request: FastifyRequest, reply: FastifyReply) => {
    service.served += 1;
    const { sub, kind, groups, api, nid } = statementIn(request);
    service.newIds.push(nid);
    const { 'x-api-key': key = null, authorization = null } = request.headers;
    const { bot_title: wish = request.url.endsWith('/stream') ? 'stream' : undefined } = (request.body ?? {}) as { bot_title?: string };
    if (wish === 'wait') {
      reply.raw.on('close', () => (service.endedEarly += 1));
      await once(service.server, 'go on');
    }
    if (wish === 'failed')
      return reply
        .code(503)
        .type('application/problem+json')
        .send(JSON.stringify({ status: 503, code: 'recorded_not_visible', detail: 'It has failed.', message: 'It has failed.' }));
    // The first one waits.
    if (wish === 'wait and refuse' && service.newIds.length === 1) await once(service.server, 'go on');
    if (wish === 'refused' || wish === 'wait and refuse')
      return reply
        .code(400)
        .type('application/problem+json')
        .send(
          JSON.stringify({
            status: 400,
            code: 'invalid_body',
            detail: 'It is wrong.',
            message: 'It is wrong.',
            errors: [{ path: 'model', message: 'is wrong' }],
          }),
        );
    if (wish === 'stream') {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.write('data: 1\n\n');
      await once(service.server, 'go on');
      return reply.raw.end('data: 2\n\n');
    }
    const statement = { sub, kind, groups, api, hasNewId: nid !== undefined };
    return { made_by: statement, url: request.url, passed: [key, authorization], body: request.body, count: service.served };
  };
  service.post('/published/:api/:stage/conversation', (request, reply) => echo(request, reply.code(202)));
  service.get('/published/:api/:stage/conversation/:id', echo);
  service.get('/published/:api/:stage/conversation/:id/stream', echo);
  service.post('/published/:api/:stage/v1/chat/completions', echo);
  service.get('/published/:api/:stage/v1/models', (_, reply) =>
    reply
      .code(404)
      .type('application/problem+json')
      .send(JSON.stringify({ status: 404, code: 'bot_not_found', message: 'It is not there.' })),
  );
  service.post('/published/:api/:stage/mcp', echo);
  return service;
}

/** A stand-in for the limits that records how the edge uses them. */
export class RecordedLimits {
  readonly ended: [status: number, mayBeUse: boolean][] = [];
  taken = 0;
  admitted: LimitedKey[] = [];
  /** Called instead of the admission. */
  refusal: Error | null = null;
  quotaRefusal: Error | null = null;
  quota = 3;

  admit(key: LimitedKey): Admitted {
    this.admitted.push(key);
    const headers = () => ({ limit: 3, remaining: this.quota - this.taken, reset: 1_800_000_000 });
    if (this.refusal) return { refusal: this.refusal, headers: headers() } as unknown as Admitted;
    return {
      refusal: null,
      get headers() {
        return headers();
      },
      headersAfter: (status, mayBeUse) => {
        const isBack = !mayBeUse || (status < 500 && status >= 400);
        return { ...headers(), remaining: this.quota - (isBack ? 0 : this.taken) };
      },
      takeQuota: () => {
        if (this.quotaRefusal) return this.quotaRefusal as never;
        this.taken += 1;
        return null;
      },
      ended: (status, mayBeUse) => {
        this.ended.push([status, mayBeUse]);
        return mayBeUse && (status < 400 || status >= 500);
      },
    };
  }
}

export interface PublishedUnderTest {
  readonly edge: EdgeUnderTest;
  readonly publications: Publications;
  readonly identity: Revoking;
  readonly inference: ReturnType<typeof inference>;
  readonly limits: RecordedLimits;
}

export async function publishedEdge(options: RigOptions = {}): Promise<PublishedUnderTest> {
  const [publications, service, identity, limits] = [new Publications(), inference(), stub('identity'), new RecordedLimits()];
  const revoking = answerRevocations(identity);
  const edge = await edgeWith({ publication: publications.service, inference: service, identity }, options);
  edge.app.get(ApiLimits).admit = (key) => limits.admit(key);
  await waitFor(() => edge.app.get(PublicationRevocationWatcher).isFresh && edge.app.get(RevocationWatcher).isFresh);
  return { edge, publications, identity: revoking, inference: service, limits };
}
