import { createServer } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, kafka, type KafkaBroker, missing, patience, selfSigned } from '@parlance/testing';
import { openKafkaBroker } from '../kafka-broker.ts';
import type { KafkaClientSecurity } from './client-security.ts';

const LONGEST = patience(120_000);
const describeKafka = missing('kafka') ? describe.skip : describe;
const none: KafkaClientSecurity = {
  tls: true,
  caFile: null,
  certFile: null,
  keyFile: null,
  mechanism: null,
  username: null,
  password: null,
  tokenUrl: null,
  clientId: null,
  clientSecret: null,
  scope: null,
  region: null,
};
const LOGIN = 'org.apache.kafka.common.security';
const user = { username: 'parlance', password: 'only-for-this-test' };

describeKafka('a broker with TLS', () => {
  let directory: string;
  const running: KafkaBroker[] = [];
  const at = (name: string) => join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kafka-security-'));
    const [server, client] = [selfSigned('localhost'), selfSigned('parlance')];
    await writeFile(at('store.pem'), server.key + server.cert);
    await writeFile(at('ca.pem'), server.cert);
    await writeFile(at('client.pem'), client.cert);
    await writeFile(at('client-key.pem'), client.key);
  });
  afterEach(async () => void (await running.pop()?.stop()));
  afterAll(() => rm(directory, { recursive: true }));

  const listening = async (more: object, scram?: string) => {
    const port = await freePort();
    const server = await kafka({ secured: { port, keyStore: at('store.pem'), ...more }, ...(scram !== undefined && { scram }) });
    running.push(server);
    return { address: `localhost:${port}` };
  };
  /** Writes through the broker and reads what it keeps. */
  const used = async ({ address }: { address: string }, security: Partial<KafkaClientSecurity>) => {
    const client = { retry: { retries: 1, initialRetryTime: 10 }, connectionTimeout: patience(5_000) };
    const broker = await openKafkaBroker({
      brokers: [address],
      clientId: 'test',
      security: { ...none, caFile: at('ca.pem'), ...security },
      client,
      replicationFactor: 1,
    });
    try {
      await broker.ensureTopics(['parlance.test']);
      return await broker.partitions('parlance.test');
    } finally {
      await broker.close();
    }
  };
  it(
    'is trusted only through the configured authority, and identifies the client by its certificate',
    async () => {
      const server = await listening({ trustStore: at('client.pem') });
      const own = { certFile: at('client.pem'), keyFile: at('client-key.pem') };
      expect(await used(server, own)).toBeGreaterThan(0);
      await expect(used(server, { ...own, caFile: null })).rejects.toThrow(/self-signed certificate/);
      await expect(used(server, {})).rejects.toThrow();
      await expect(used(server, { tls: false })).rejects.toThrow();
      await expect(used(server, { ...own, keyFile: at('gone.pem') })).rejects.toThrow(
        `the file ${at('gone.pem')} of kafkaSecurity.keyFile cannot be read (ENOENT)`,
      );
    },
    LONGEST,
  );

  it(
    'takes a password',
    async () => {
      const server = await listening({
        mechanism: 'PLAIN',
        login: `${LOGIN}.plain.PlainLoginModule required user_parlance="${user.password}";`,
      });
      expect(await used(server, { mechanism: 'plain', ...user })).toBeGreaterThan(0);
      await expect(used(server, { mechanism: 'plain', ...user, password: 'wrong' })).rejects.toThrow(/[Aa]uthentication failed/);
      await expect(used(server, {})).rejects.toThrow();
    },
    LONGEST,
  );

  it(
    'takes a password that is not sent',
    async () => {
      const server = await listening(
        { mechanism: 'SCRAM-SHA-512', login: `${LOGIN}.scram.ScramLoginModule required;` },
        `SCRAM-SHA-512=[name=${user.username},password=${user.password}]`,
      );
      expect(await used(server, { mechanism: 'scram-sha-512', ...user })).toBeGreaterThan(0);
      await expect(used(server, { mechanism: 'scram-sha-512', ...user, password: 'wrong' })).rejects.toThrow(/[Aa]uthentication failed/);
    },
    LONGEST,
  );

  it(
    'takes tokens of a token endpoint',
    async () => {
      const server = await listening({ mechanism: 'OAUTHBEARER', login: `${LOGIN}.oauthbearer.OAuthBearerLoginModule required;` });
      let requests = 0;
      const issuer = createServer((request, response) => {
        requests += 1;
        const secret = Buffer.from(request.headers.authorization!.split(' ')[1]!, 'base64').toString();
        const now = Math.floor(Date.now() / 1_000);
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const token = `${part({ alg: 'none' })}.${part({ sub: 'parlance', iat: now, exp: now + 600 })}.`;
        if (secret === 'parlance:only-for-this-test') response.end(JSON.stringify({ access_token: token, expires_in: 600 }));
        else response.writeHead(401).end('{"error":"invalid_client"}');
      });
      await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
      const tokenUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/token`;
      const grant = { mechanism: 'oauthbearer', tokenUrl, clientId: 'parlance', clientSecret: user.password } as const;
      try {
        expect(await used(server, grant)).toBeGreaterThan(0);
        // One token for all connections of the client.
        expect(requests).toBe(1);
        await expect(used(server, { ...grant, clientSecret: 'wrong' })).rejects.toThrow(/answered 401 without a token/);
      } finally {
        issuer.close();
      }
    },
    LONGEST,
  );
});
