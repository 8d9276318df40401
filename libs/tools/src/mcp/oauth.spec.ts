import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServerConfig } from '@parlance/config';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { McpOAuth } from './oauth.ts';
import type { OAuthGrant } from './oauth-parts.ts';

interface Asked {
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

describe('OAuth of an MCP server', () => {
  let server: Server;
  let origin: string;
  let asked: Asked[];
  let answers: Record<string, [status: number, body: object]>;
  const oauth = new McpOAuth(new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] }));
  const never = new AbortController().signal;

  beforeEach(async () => {
    asked = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const path = request.url!.split('?', 1)[0]!;
      asked.push({ path, body, authorization: request.headers.authorization });
      const [status, answer] = answers[path] ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answers = {
      '/.well-known/oauth-protected-resource/mcp': [200, { resource: `${origin}/mcp`, authorization_servers: [origin] }],
      '/.well-known/oauth-authorization-server': [200, metadata({})],
    };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const metadata = (more: object) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...more,
  });
  const configured = (more: Partial<McpServerConfig> = {}) =>
    Object.assign(new McpServerConfig(), { url: `${origin}/mcp`, auth: 'oauth', client_id: 'me', ...more });
  const begin = (more?: Partial<McpServerConfig>) => {
    const beginning = {
      redirectUri: 'https://us.example.org/back',
      state: 's',
      clientName: 'Parlance',
      clientUri: 'https://us.example.org',
    };
    return oauth.begin(configured(more), beginning, never);
  };
  const grant = (): OAuthGrant => ({
    url: `${origin}/mcp`,
    issuer: origin,
    resource: `${origin}/mcp`,
    access: 'a1',
    refresh: 'r1',
    scopes: ['read'],
    metadata: metadata({}) as never,
    client: { client_id: 'me', client_secret: 'my secret' },
  });

  it('starts with a configured client', async () => {
    const { authorizeUrl, pending } = await begin({ scopes: ['read', 'write'] });
    const { searchParams } = new URL(authorizeUrl);
    expect([searchParams.get('client_id'), searchParams.get('scope')]).toEqual(['me', 'read write']);
    expect(authorizeUrl).not.toContain(pending.verifier);
    expect(asked.some(({ path }) => path === '/register')).toBe(false);
  });

  it.each([
    ['does not support PKCE', { code_challenge_methods_supported: undefined }],
    ['supports only the weak method of PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['names another issuer', { issuer: 'https://other.example.org' }],
  ])('is refused when the authorization server %s', async (_, more) => {
    answers['/.well-known/oauth-authorization-server'] = [200, metadata(more)];
    await expect(begin()).rejects.toMatchObject({ name: 'OAuthRefused' });
  });

  it.each([
    ['is about another resource', { resource: 'https://other.example.org/mcp' }, undefined],
    ['leads to no authorization server', {}, [404, {}] as [number, object]],
  ])('is refused when the metadata %s', async (_, more, missing) => {
    answers['/.well-known/oauth-protected-resource/mcp'] = [200, { resource: `${origin}/mcp`, authorization_servers: [origin], ...more }];
    if (missing) answers['/.well-known/oauth-authorization-server'] = missing;
    await expect(begin()).rejects.toMatchObject({ name: 'OAuthRefused' });
  });

  it('is refused without a client if none can be registered', async () => {
    await expect(begin({ client_id: null })).rejects.toThrow('a client_id must be configured');
  });

  it('does not contact an authorization server at a private address', async () => {
    const inside = { resource: `${origin}/mcp`, authorization_servers: ['http://127.0.0.2:1'] };
    answers['/.well-known/oauth-protected-resource/mcp'] = [200, inside];
    await expect(begin()).rejects.toThrow();
    expect(asked.map(({ path }) => path)).not.toContain('/.well-known/oauth-authorization-server');
  });

  it('renews tokens with the client secret, and keeps the refresh token if there is no new one', async () => {
    answers['/token'] = [200, { access_token: 'a2', token_type: 'Bearer', expires_in: 60 }];
    const { grant: renewed, expiresIn } = await oauth.refresh(grant(), never);
    expect([renewed.access, renewed.refresh, renewed.scopes, expiresIn]).toEqual(['a2', 'r1', ['read'], 60]);
    const { body } = asked.find(({ path }) => path === '/token')!;
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({ refresh_token: 'r1', resource: `${origin}/mcp` });
  });

  it.each([
    [400, { error: 'invalid_grant' }, 'OAuthRefused'],
    [401, { error: 'invalid_client' }, 'OAuthRefused'],
    [503, { error: 'temporarily_unavailable' }, 'OAuthError'],
    [500, { oops: true }, 'OAuthError'],
  ])('distinguishes a refusal from a failure: %d %j', async (status, body, name) => {
    answers['/token'] = [status, body];
    await expect(oauth.refresh(grant(), never)).rejects.toMatchObject({ name });
  });
  it.each(['invalid_grant', 'slow_grant'])('names the code of a refusal: %s', async (error) => {
    answers['/token'] = [400, { error }];
    await expect(oauth.refresh(grant(), never)).rejects.toMatchObject({ reason: error });
  });
  it.each(['the secret of Ann', 'invalid_grant\u202E', 'a'.repeat(51)])('does not repeat another text as a code: %j', async (error) => {
    answers['/token'] = [400, { error }];
    await expect(oauth.refresh(grant(), never)).rejects.toMatchObject({ name: 'OAuthRefused', reason: 'unknown_error' });
  });
  it("fails without repeating the authorization server's text", async () => {
    answers['/token'] = [500, { oops: 'r1-is-the-token' }];
    const failure: unknown = await oauth.refresh(grant(), never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(inspect(failure, { depth: 9 })).not.toContain('r1-is-the-token');
  });

  it('rejects an endless token', async () => {
    answers['/token'] = [200, { access_token: 'a'.repeat(20_000), token_type: 'Bearer' }];
    await expect(oauth.refresh(grant(), never)).rejects.toMatchObject({ name: 'OAuthRefused' });
  });

  it('revokes both tokens, with the client that they belong to', async () => {
    answers['/revoke'] = [200, {}];
    await oauth.revoke(grant(), never);
    const revoked = asked.filter(({ path }) => path === '/revoke');
    expect(revoked.map(({ body }) => new URLSearchParams(body).get('token'))).toEqual(['r1', 'a1']);
    expect(revoked[0]!.authorization ?? revoked[0]!.body).toMatch(/^Basic bWU6bXkrc2VjcmV0$|client_secret=my\+secret/);
  });
});
