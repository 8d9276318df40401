import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Adapter, type AdapterPayload, type Configuration, Provider } from 'oidc-provider';

/** What the provider knows about each person. Tests may change it. */
export type People = Record<string, Record<string, unknown>>;

export interface Counterpart {
  readonly issuer: string;
  readonly people: People;
  stop(): Promise<void>;
}

export interface CounterpartOptions {
  readonly redirectUris: readonly string[];
  /** Puts the claims into the ID token, not only at the userinfo endpoint. */
  readonly claimsInIdToken?: boolean;
  /** Absent for a client without a secret. */
  readonly secret?: string;
}

/** A real provider in this process. It requires PKCE. The cookie `who` names the signed-in person. */
export async function openCounterpart(people: People, options: CounterpartOptions): Promise<Counterpart> {
  const server = createServer();
  const issuer = await addressOf(server);
  const provider = new Provider(issuer, await configurationFor(people, options));
  const answer = provider.callback();
  const interact = async (req: IncomingMessage, res: ServerResponse) => {
    const who = /(?:^|; )who=(\w+)/.exec(req.headers.cookie ?? '')?.[1];
    const result = who ? { login: { accountId: who } } : { error: 'access_denied', error_description: '<b>no</b>' };
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  };
  server.on('request', (req, res) => void (req.url?.startsWith('/interaction/') ? interact(req, res) : answer(req, res)));
  return { issuer, people, stop: () => stopServer(server) };
}

async function configurationFor(
  people: People,
  { redirectUris, claimsInIdToken = false, secret }: CounterpartOptions,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    adapter: memory(),
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    clients: [
      {
        client_id: 'parlance',
        redirect_uris: redirectUris,
        ...(secret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secret }),
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'only' }] },
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name', 'groups'] },
    conformIdTokenClaims: !claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    // Every user has given every consent.
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

/** The provider's storage. The library's own in-memory storage would log a warning at each start. */
function memory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
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

/** Listens on a free port of this machine. */
export async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
