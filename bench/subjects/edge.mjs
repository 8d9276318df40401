// Runs the edge in one process with services that return a fixed answer: to signed-in users, or to API keys with the argument `published`.
// The stand-ins for identity and publication have keys and no revocations; the other services have no routes.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@parlance/config';
import { mintApiKey } from '@parlance/http';
import { openHost, startService } from '@parlance/foundation';
import Fastify from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { edge } from '../../apps/edge/dist/service.js';

const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
const env = {
  PARLANCE_DATA_DIR: directory,
  PARLANCE_LOG_LEVEL: 'warn',
  PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,10.0.0.0/8',
  PARLANCE_PUBLISHED_API_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,10.0.0.0/8',
  // The bench sends more than the limit allows.
  PARLANCE_REQUESTS_PER_MINUTE: '0',
};
const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
const { privateKey, publicKey } = await generateKeyPair('EdDSA');

const service = (title, paths = {}) => {
  const its = Fastify();
  const document = { openapi: '3.1.0', info: { title, version: '0' }, paths, components: { schemas: {}, securitySchemes: {} } };
  its.get('/internal/openapi.json', () => document);
  return its;
};
const identity = service('identity');
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' };
identity.get('/.well-known/jwks.json', () => ({ keys: [jwk] }));
// Like the real route, it waits a little for new revocations.
const publication = service('publication');
for (const owner of [identity, publication]) {
  owner.get('/internal/revocations', () => new Promise((resolve) => setTimeout(resolve, 600, { position: 1, entries: [] })));
  owner.get('/internal/revocations/state', () => ({ revoked: [] }));
}
const bots = service('bots', { '/static': { get: { operationId: 'static', responses: { 200: {} }, security: [{ bearer: [] }] } } });
bots.get('/static', () => ({ user_id: '01K0000000000000000000000A', title: 'Guide', enabled: true }));

const [apiId, keyId] = ['01k0000000000000000000000a', '01K0000000000000000000000C'];
const { value, hash } = mintApiKey(keyId);
const copied = { revision: 'r', copy_seconds: 3_600 };
const throttle = { rate_limit: 1_000_000, burst_limit: 1_000_000 };
const api = {
  bot_id: 'b',
  owner_user_id: 'u',
  stage: 'api',
  quota: null,
  throttle,
  allowed_origins: ['https://shop.example.org'],
  ...copied,
};
publication.get('/internal/published/:api', () => api);
publication.get('/internal/published/:api/keys/:key', () => ({ hash, enabled: true, expires_at: null, allowed_ip_ranges: [], ...copied }));
// More than the bench uses, so that the edge never has to ask for more quota.
const lent = { is_known: true, tokens: 1e9, places: 1e6, level: 1e9, empty_millis: 0, usable_millis: 3_600_000, terms: throttle };
publication.post('/internal/api-limits/:key', () => ({ throttle: lent, quota: null }));
publication.post('/internal/api-usage', (_, reply) => reply.code(204).send());
const reading = { get: { operationId: 'read', responses: { 200: {} }, security: [{ apiKey: [] }] } };
const inference = service('inference', { '/published/{apiId}/{stage}/conversation/{id}/{messageId}': reading });
inference.get('/published/:apiId/:stage/conversation/:id/:messageId', () => ({
  conversation_id: 'c',
  create_time: 1,
  status: 'completed',
}));

for (const [name, its] of Object.entries({ identity, bots, publication, inference, analytics: service('a') }))
  await host.local.enter(name, its);
const { app, instance } = await startService(edge, host);
await app.listen(0, '127.0.0.1');

const seconds = Math.floor(Date.now() / 1000);
const token = await new SignJWT({ email: 'ann@example.org', groups: ['CreatingBotAllowed'], sid: '01K0000000000000000000000B' })
  .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' })
  .setSubject('01K0000000000000000000000A')
  .setIssuer('parlance')
  .setAudience('parlance')
  .setIssuedAt(seconds)
  .setExpirationTime(seconds + 3600)
  .sign(privateKey);
process.on('disconnect', () => process.exit());
const origin = `http://127.0.0.1:${instance.server.address().port}`;
process.send(
  process.argv[2] === 'published'
    ? {
        url: `${origin}/published/${apiId}/api/conversation/c/m`,
        headers: { 'x-api-key': value, origin: 'https://shop.example.org' },
        directory,
      }
    : { url: `${origin}/static`, headers: { authorization: `Bearer ${token}` }, directory },
);
