import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Adapter, type AdapterPayload, type Configuration, Provider } from 'oidc-provider';

export interface AuthorizationServer {
  readonly issuer: string;
  /** The requests to the endpoints: path and grant type. */
  readonly requests: string[];
  /** May answer a request itself. Returns true if it has. */
  intercept: ((path: string, response: ServerResponse) => boolean) | null;
  /** The user who has the token. Null if it is invalid. */
  userOf(token: string): Promise<string | null>;
  /** Performs the authorization as this user in a browser. Returns the URL of the last redirect. */
  authorize(url: string, user: string): Promise<URL>;
  /** Makes all refresh tokens invalid. */
  forgetGrants(): void;
  stop(): Promise<void>;
}

export interface AuthorizationServerOptions {
  readonly redirectUri: string;
  readonly resource: () => string;
  /** The lifetime of access tokens in seconds. */
  readonly validity?: number;
}

/** A real authorization server on a loopback address, with registration, PKCE, revocation and single-use refresh tokens. */
export async function authorizationServer({
  redirectUri,
  resource,
  validity = 3_600,
}: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kept = new Map<string, AdapterPayload>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const configuration: Configuration = {
    adapter: memory(kept),
    ttl: { Interaction: 60, Grant: 3_600, Session: 60, AccessToken: validity, AuthorizationCode: 60, RefreshToken: 3_600, IdToken: 60 },
    cookies: { keys: ['for tests'] },
    clients: [],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'only' }] },
    scopes: ['openid', 'offline_access', 'read'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_, indicator) => {
          if (indicator !== resource()) throw new Error('another resource');
          return { scope: 'read', audience: indicator, accessTokenFormat: 'opaque' as const };
        },
        useGrantedResource: async () => true,
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid offline_access read');
      grant.addResourceScope(resource(), 'read');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const details = await provider.interactionDetails(request, response);
    const who = /(?:^|; )who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody';
    const result = details.prompt.name === 'login' ? { login: { accountId: who } } : { consent: {} };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  };
  const served: AuthorizationServer = {
    issuer,
    requests: [],
    intercept: null,
    async userOf(token) {
      return (await provider.AccessToken.find(token))?.accountId ?? null;
    },
    async authorize(url, user) {
      const cookies = new Map([['who', user]]);
      let address = url;
      for (let hops = 0; hops < 20; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const page = await fetch(address, { redirect: 'manual', headers: { cookie } });
        for (const each of page.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
          cookies.set(name!, value!);
        }
        const location = page.headers.get('location');
        if (location === null) throw new Error(`no redirect from ${address}: ${page.status} ${await page.text()}`);
        const next = new URL(location, address);
        if (next.href.startsWith(redirectUri)) return next;
        address = next.href;
      }
      throw new Error(`too many redirects, at last to ${address}`);
    },
    forgetGrants() {
      for (const key of kept.keys()) if (/^(RefreshToken|AccessToken|Grant) /.test(key)) kept.delete(key);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url!.split('?', 1)[0]!;
    served.requests.push(path);
    if (served.intercept?.(path, response)) return;
    void (path.startsWith('/interaction/') ? interact(request, response) : answer(request, response));
  });
  return served;
}

function memory(kept: Map<string, AdapterPayload>): (model: string) => Adapter {
  const all = () => [...kept.entries()];
  return (model) => ({
    upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
    find: async (id) => kept.get(`${model} ${id}`),
    findByUid: async (uid) => all().find(([key, payload]) => key.startsWith(`${model} `) && payload.uid === uid)?.[1],
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(kept.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void kept.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) => all().forEach(([key, payload]) => payload.grantId === grantId && kept.delete(key)),
  });
}
