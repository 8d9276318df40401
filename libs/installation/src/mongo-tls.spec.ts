import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { database, type Database, missing, selfSigned } from '@parlance/testing';
import { databasesOf } from './mongo-databases.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('a database over TLS', () => {
  let directory: string;
  let db: Database;
  let door: Server;
  const at = (name: string) => join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mongo-tls-'));
    db = await database();
    const [server, client] = [selfSigned('localhost'), selfSigned('parlance')];
    await writeFile(at('ca.pem'), server.cert);
    await writeFile(at('client.pem'), client.key + client.cert);
    const { hostname, port } = new URL(db.uri.replace('mongodb:', 'http:'));
    door = createServer({ ...server, ca: [client.cert], requestCert: true, rejectUnauthorized: true }, (socket) => {
      const upstream = connect(Number(port), hostname);
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const)
        one
          .on('error', () => undefined)
          .on('close', () => other.destroy())
          .pipe(other);
    });
    door.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => door.close(resolve));
    await db.stop();
    await rm(directory, { recursive: true });
  });

  const opened = async (options: Readonly<Record<string, string>>) => {
    const more = new URLSearchParams({ directConnection: 'true', ...options });
    const { client, shared } = await databasesOf(
      `mongodb://localhost:${(door.address() as AddressInfo).port}/${db.prefix}?${more}`,
      'test',
    );
    try {
      return await shared.command({ ping: 1 });
    } finally {
      await client.close();
    }
  };

  it('is reached with the certificate authority and the client certificate that the address names', async () => {
    const own = { tls: 'true', tlsCAFile: at('ca.pem'), tlsCertificateKeyFile: at('client.pem') };
    expect(await opened(own)).toMatchObject({ ok: 1 });
    // The driver retries until its time limit.
    const refusalOf = (options: Readonly<Record<string, string>>) =>
      opened({ ...options, serverSelectionTimeoutMS: '1000' }).catch((error: Error) => error);
    const [ofServer, ofClient, ofBoth] = await Promise.all([
      refusalOf({ tls: 'true', tlsCertificateKeyFile: at('client.pem') }),
      refusalOf({ tls: 'true', tlsCAFile: at('ca.pem') }),
      refusalOf({}),
    ]);
    expect(ofServer).toMatchObject({ message: expect.stringMatching(/self-signed certificate/) });
    for (const refusal of [ofClient, ofBoth]) expect(refusal).toMatchObject({ name: 'MongoServerSelectionError' });
  });
});
