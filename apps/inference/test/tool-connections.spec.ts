import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Service } from '@parlance/foundation';
import request from 'supertest';
import { McpToolSource } from '../src/adapters/tools/mcp-tool-source.ts';
import { InferenceModule } from '../src/inference.module.ts';
import { inference } from '../src/service.ts';
import { type ConnectedTools, connectedTools } from './connected-tools.ts';

const never = new AbortController().signal;

describe('connecting an account at a tool server', () => {
  let service: ServiceUnderTest;
  let there: ConnectedTools;
  let source: McpToolSource;
  const keys = new KeysOfUsers();
  const as = (userId: string) => service.as(userId);
  const http = () => request(service.server);
  const list = async (userId: string) => (await http().get('/user/me/tool-connections').set(as(userId))).body.tool_connections;
  const authorize = (userId: string, body: object = {}) =>
    http().post('/user/me/tool-connections/docs/authorize').set(as(userId)).send(body);
  const complete = (userId: string, body: object) => http().post('/user/me/tool-connections/docs/complete').set(as(userId)).send(body);
  /** The parameters that the user’s browser returns to its client. */
  const agreed = async (userId: string): Promise<Record<string, string>> => {
    const { body } = await authorize(userId);
    const callback = await there.authorization.authorize(body.authorize_url, userId);
    const { headers } = await http().get(`${callback.pathname}${callback.search}`);
    const [place, fragment] = String(headers['location']).split('#');
    expect(place).toBe('/app/tool-connections');
    return Object.fromEntries(new URLSearchParams(fragment));
  };
  const connect = async (userId: string) => complete(userId, await agreed(userId));
  const called = async (userId: string) => {
    const [tool] = await source.find(['docs__*'], { userId, ownerId: userId, configuredBy: userId }, never);
    return tool!.call({}, { userId, botId: null, conversationId: 'c', callId: '1' }, never);
  };

  beforeAll(async () => {
    there = await connectedTools();
    const grab = (found: McpToolSource) => (source = found);
    const module: Service['module'] = async (host) => {
      const inner = await InferenceModule.of(host);
      return { ...inner, providers: [...inner.providers!, { provide: 'source', inject: [McpToolSource], useFactory: grab }] };
    };
    service = await serviceUnderTest({ ...inference, module }, there.settings);
    await keys.enter(service.host);
  });
  afterAll(async () => {
    await service.stop();
    await there.stop();
  });

  it('is offered, and needed before a tool is called', async () => {
    expect(await list('ann')).toEqual([{ server: 'docs', status: 'not_connected', connected_time: null, scopes: [] }]);
    expect(await called('ann')).toEqual({ text: expect.stringMatching(/^connection_required: docs\./), isError: true });
  });

  it('uses PKCE at the authorization server, and only for this server', async () => {
    const { status, body } = await authorize('ann');
    const { searchParams: parameters, origin } = new URL(body.authorize_url);
    expect([status, origin, body.expires_in]).toEqual([200, there.authorization.issuer, 600]);
    expect(Object.fromEntries(parameters)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://parlance.test/tool-connections/callback',
      resource: there.tools.url,
      scope: 'read offline_access',
    });
  });

  it('lets the user call the tools, until the user disconnects it', async () => {
    const { status, body } = await connect('ann');
    expect([status, body]).toEqual([
      200,
      { server: 'docs', status: 'connected', connected_time: expect.any(Number), scopes: expect.arrayContaining(['read']) },
    ]);
    expect(await called('ann')).toEqual({ text: 'It is you.', isError: false });
    expect((await called('ben')).text).toContain('connection_required');

    const disconnect = () => http().delete('/user/me/tool-connections/docs').set(as('ann'));
    expect((await disconnect()).status).toBe(204);
    expect(there.authorization.requests.filter((path) => path.endsWith('/revocation'))).toHaveLength(2);
    expect(await list('ann')).toMatchObject([{ status: 'not_connected' }]);
    expect((await called('ann')).text).toContain('connection_required');
    expect((await disconnect()).status).toBe(204);
  });

  it('cannot be completed by another user, twice, or with a changed state', async () => {
    const callback = await agreed('ann');
    const codes = [];
    for (const [userId, body] of [
      ['ben', callback],
      ['ann', { ...callback, state: `${callback['state']}x` }],
      ['ann', callback],
      ['ann', callback],
    ] as const) {
      const { status, body: answer } = await complete(userId, body);
      codes.push([status, answer.code]);
    }
    expect(codes).toEqual([
      [400, 'invalid_tool_state'],
      [400, 'invalid_tool_state'],
      [200, undefined],
      [400, 'invalid_tool_state'],
    ]);
  });

  it('fails when the code is wrong or from another issuer, and must then begin again', async () => {
    const callback = await agreed('eve');
    expect((await complete('eve', { ...callback, code: 'other' })).body).toMatchObject({ status: 409, code: 'tool_authorization_failed' });
    expect((await complete('eve', callback)).body.code).toBe('invalid_tool_state');
    const again = await agreed('eve');
    const foreign = await complete('eve', { ...again, iss: 'https://other.example.org' });
    expect(foreign.body).toMatchObject({ status: 409, code: 'tool_authorization_failed' });
  });

  it('redirects only to URLs of the installation, with the code in the fragment', async () => {
    const refused = (await authorize('ann', { return_to: 'https://evil.example.org/' })).body;
    expect([refused.code, refused.errors[0].path]).toEqual(['invalid_return_to', 'return_to']);
    const { body } = await authorize('ann', { return_to: 'https://console.example.org/tools' });
    const state = new URL(body.authorize_url).searchParams.get('state')!;
    const back = (query: string) => http().get(`/tool-connections/callback?${query}`);
    expect((await back(`state=${state}&error=access_denied&error_description=x`)).headers['location']).toBe(
      `https://console.example.org/tools#${new URLSearchParams({ state, error: 'access_denied' })}`,
    );
    const long = `/app/${'é'.repeat(240)}`;
    const longest = new URL((await authorize('ann', { return_to: long })).body.authorize_url).searchParams.get('state')!;
    expect((await back(`state=${longest}&code=c`)).headers['location']).toBe(
      `${encodeURI(long)}#${new URLSearchParams({ state: longest, code: 'c' })}`,
    );
    const evil = ['docs', 'x', Buffer.from('https://evil.example.org/').toString('base64url')].join('.');
    expect((await back(`state=${evil}&code=c`)).body.code).toBe('invalid_return_to');
    expect((await back('code=c')).body.code).toBe('invalid_tool_state');
  });

  it('is known only for configured servers', async () => {
    const answers = [
      await http().post('/user/me/tool-connections/other/authorize').set(as('ann')),
      await http().post('/user/me/tool-connections/other/complete').set(as('ann')).send({ code: 'c', state: 's' }),
      await http().delete('/user/me/tool-connections/other').set(as('ann')),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('tool_server_not_found'));
  });

  it('reports that the server is unavailable, and changes nothing', async () => {
    there.authorization.intercept = (path, response) => path.startsWith('/.well-known') && Boolean(response.writeHead(500).end());
    const { status, body } = await authorize('ann');
    there.authorization.intercept = null;
    expect([status, body.code]).toEqual([503, 'tool_server_unavailable']);
  });

  it('is recorded in the audit log, and no token leaves the log', async () => {
    await connect('fay');
    await http().delete('/user/me/tool-connections/docs').set(as('fay'));
    const events = (await service.published()).filter(({ data }) => data['user_id'] === 'fay');
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['parlance.inference.tool-connected.v1', { user_id: 'fay', server: 'docs' }],
      ['parlance.inference.tool-disconnected.v1', { user_id: 'fay', server: 'docs', reason: 'user' }],
    ]);
  });

  it('ends when the user is erased, and cannot be completed by a pending request', async () => {
    await connect('gus');
    const callback = await agreed('gus');
    await keys.erase('gus');
    const erased = await http().post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'gus' });
    expect(erased.body.removed).toEqual({ conversations: 0, messages: 0, tool_connections: 1 });
    expect((await complete('gus', callback)).status).toBe(404);
    expect(await list('gus')).toMatchObject([{ status: 'not_connected' }]);
    expect((await called('gus')).text).toContain('connection_required');
  });
});
