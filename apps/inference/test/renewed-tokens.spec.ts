import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { Clock, type Service, Streams } from '@parlance/foundation';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { Vault } from '@parlance/privacy';
import type { OAuthGrant } from '@parlance/tools/mcp';
import request from 'supertest';
import { McpServers } from '../src/adapters/tools/mcp-servers.ts';
import { toolConnection, toolConnectionId, toolConnectionStream } from '../src/domain/tool-connection.ts';
import { InferenceModule } from '../src/inference.module.ts';
import { inference } from '../src/service.ts';
import { RenewedTokens } from '../src/workflows/tools/renewed-tokens.ts';
import { type ConnectedTools, connectedTools } from './connected-tools.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;
type Needed = [McpServers, CommandBus, Streams, Vault, Clock];

describe('the tokens of a connection', () => {
  let service: ServiceUnderTest;
  let there: ConnectedTools;
  let needed: Needed;
  /** As in another replica, which shares only the log. */
  const replica = () => new RenewedTokens(...needed);
  const tokenOf = (userId: string) => replica().token('docs', userId, never);
  const stateOf = (userId: string) => needed[2].load(toolConnection, toolConnectionStream(toolConnectionId(userId, 'docs')));
  const exchanges = () => there.authorization.requests.filter((path) => path.endsWith('/token')).length;
  const refusing = (status: number, body: object) => {
    there.authorization.intercept = (path, response) =>
      path.endsWith('/token') && Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  };
  const connect = async (userId: string) => {
    const post = (path: string, body: object) =>
      request(service.server).post(`/user/me/tool-connections/docs/${path}`).set(service.as(userId)).send(body);
    const { body } = await post('authorize', {});
    const { searchParams } = await there.authorization.authorize(body.authorize_url, userId);
    const { code, state, iss } = Object.fromEntries(searchParams);
    expect((await post('complete', { code, state, iss })).status).toBe(200);
  };

  beforeAll(async () => {
    there = await connectedTools();
    const grab = (...found: Needed) => (needed = found);
    const inject = [McpServers, CommandBus, Streams, Vault, Clock];
    const module: Service['module'] = async (host) => {
      const inner = await InferenceModule.of(host);
      return { ...inner, providers: [...inner.providers!, { provide: 'needed', inject, useFactory: grab }] };
    };
    service = await serviceUnderTest({ ...inference, module }, there.settings);
  });
  afterAll(async () => {
    await service.stop();
    await there.stop();
  });

  it('are used as long as they are valid', async () => {
    await connect('ann');
    const before = exchanges();
    const token = await tokenOf('ann');
    expect(await there.authorization.userOf(token!)).toBe('ann');
    expect([await tokenOf('ann'), exchanges() - before]).toEqual([token, 0]);
  });

  it('are renewed once, by the first replica, and never with a used refresh token', async () => {
    await connect('ben');
    const token = await tokenOf('ben');
    const before = exchanges();
    service.later(HOUR);
    const renewed = new Set(await Promise.all(Array.from({ length: 6 }, () => tokenOf('ben'))));
    expect([renewed.size, renewed.has(token), exchanges() - before]).toEqual([1, false, 1]);
    service.later(HOUR);
    expect(renewed.has(await tokenOf('ben'))).toBe(false);
    expect((await stateOf('ben')).connected).toMatchObject({ generation: 2, refresh: null });
  });

  it('are renewed before their end when the server refuses them', async () => {
    await connect('cid');
    const token = (await tokenOf('cid'))!;
    const renewed = await Promise.all([1, 2].map(() => replica().renewed('docs', 'cid', token, never)));
    expect([new Set(renewed).size, renewed[0] === token]).toEqual([1, false]);
    expect(await there.authorization.userOf(renewed[0]!)).toBe('cid');
  });

  it('are replaced when the user connects again, and the key of the earlier ones is destroyed', async () => {
    await connect('ida');
    const { tokens } = (await stateOf('ida')).connected!;
    await connect('ida');
    expect(await needed[3].open(tokens as never)).toBeNull();
    expect(await there.authorization.userOf((await tokenOf('ida'))!)).toBe('ida');
  });

  it('stay when the authorization server does not work, and are renewed later', async () => {
    await connect('dan');
    service.later(HOUR);
    refusing(503, { error: 'temporarily_unavailable' });
    await expect(tokenOf('dan')).rejects.toThrow();
    // The next request need not wait until the lease of the failed one has ended.
    expect((await stateOf('dan')).connected).toMatchObject({ generation: 0, refresh: null });
    there.authorization.intercept = null;
    expect(await there.authorization.userOf((await tokenOf('dan'))!)).toBe('dan');
  });

  it('are lost when the authorization server refuses to renew them, and their key is destroyed', async () => {
    await connect('eve');
    const { tokens } = (await stateOf('eve')).connected!;
    service.later(HOUR);
    refusing(400, { error: 'invalid_grant' });
    expect(await tokenOf('eve')).toBeNull();
    there.authorization.intercept = null;
    expect(await tokenOf('eve')).toBeNull();
    expect(await needed[3].open(tokens as never)).toBeNull();
    const { body } = await request(service.server).get('/user/me/tool-connections').set(service.as('eve'));
    expect(body.tool_connections).toMatchObject([{ server: 'docs', status: 'lost' }]);
    await connect('eve');
    expect(await there.authorization.userOf((await tokenOf('eve'))!)).toBe('eve');
  });

  it.each([
    ['with the current secret of the configured client', null, 'new'],
    ['without the secret of another configured client', 'another client', undefined],
  ])('are renewed %s', async (_, configured, secret) => {
    const userId = configured === null ? 'gil' : 'hal';
    await connect(userId);
    const { tokens } = (await stateOf(userId)).connected!;
    const grant = (await needed[3].openJson<OAuthGrant>(tokens as never))!;
    service.later(HOUR);
    const [servers, ...others] = needed;
    const config = { ...servers.all.get('docs')!, client_id: configured ?? grant.client.client_id, client_secret: 'new' };
    const sent: OAuthGrant[] = [];
    const refresh = async (refreshed: OAuthGrant) => {
      sent.push(refreshed);
      return { grant: { ...grant, access: 'next' }, expiresIn: 3_600 };
    };
    const changed = { all: new Map([['docs', config]]), client: async () => ({ refresh }) };
    expect(await new RenewedTokens(changed as unknown as McpServers, ...others).token('docs', userId, never)).toBe('next');
    expect(sent.map(({ client }) => client.client_secret)).toEqual([secret]);
  });

  it('are never sent to another server with the same name', async () => {
    await connect('fay');
    const [servers, ...others] = needed;
    const moved = {
      all: new Map([['docs', { ...servers.all.get('docs')!, url: 'https://evil.example.org/mcp' }]]),
      client: () => servers.client(),
    };
    const elsewhere = new RenewedTokens(moved as unknown as McpServers, ...others);
    expect(await elsewhere.token('docs', 'fay', never)).toBeNull();
  });
});
