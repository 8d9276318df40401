// The edge in one process with a service that gives a fixed answer to signed-in users. The stand-in for identity has keys
// and no revocations; the other services have no routes.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@parlance/config';
import { openHost, startService } from '@parlance/foundation';
import Fastify from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { edge } from '../../apps/edge/dist/service.js';

const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
const env = {
  PARLANCE_DATA_DIR: directory,
  PARLANCE_LOG_LEVEL: 'warn',
  PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,10.0.0.0/8',
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
identity.get('/internal/revocations', () => new Promise((resolve) => setTimeout(resolve, 600, { position: 1, entries: [] })));
identity.get('/internal/revocations/state', () => ({ revoked: [] }));
const bots = service('bots', { '/static': { get: { operationId: 'static', responses: { 200: {} }, security: [{ bearer: [] }] } } });
bots.get('/static', () => ({ user_id: '01K0000000000000000000000A', title: 'Guide', enabled: true }));

for (const [name, its] of Object.entries({ identity, bots, publication: service('p'), inference: service('i'), analytics: service('a') }))
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
process.send({
  url: `http://127.0.0.1:${instance.server.address().port}/static`,
  headers: { authorization: `Bearer ${token}` },
  directory,
});
