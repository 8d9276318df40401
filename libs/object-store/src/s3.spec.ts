import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bucketIn, missing, s3 } from '@parlance/testing';
import { serve } from '../test/file-store-fixture.ts';
import { s3Gate } from '../test/s3-gate.ts';
import { objectStoreContract } from '../test/contract.ts';
import type { FileDoor } from './door.ts';
import { openRedirectingDoor } from './redirecting-door.ts';
import { openS3ObjectStore, type S3ObjectStoreOptions } from './s3.ts';

const describeS3 = missing('s3') ? describe.skip : describe;

/** A server with one bucket, a proxy that checks signatures, and a door like the edge's. */
async function bucket() {
  const server = await s3();
  const gate = await s3Gate(server.endpoint, server.secretAccessKey);
  const { type: _, ...direct } = await bucketIn(server, 'files');
  const secret = randomBytes(32);
  let door: FileDoor | undefined;
  const served = await serve((request) => door!(request));
  const options: S3ObjectStoreOptions = { ...direct, endpoint: gate.endpoint, edge: { baseUrl: served.baseUrl, secret } };
  const located = openS3ObjectStore(options);
  door = openRedirectingDoor({ secret, locate: (key, fileName) => located.directDownload(key, fileName) });
  const { region, accessKeyId, secretAccessKey } = server;
  const client = new S3Client({ region, endpoint: server.endpoint, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });
  return {
    options,
    client,
    async stop() {
      client.destroy();
      await located.close();
      served.server.closeAllConnections();
      await new Promise((resolve) => served.server.close(resolve));
      await gate.stop();
      await server.stop();
    },
  };
}

it('a check of S3 rejects if the server is gone, or accepts connections and does not answer', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { region: 'eu', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b', forcePathStyle: true };
  const store = openS3ObjectStore({ ...access, endpoint, edge: { baseUrl: endpoint, secret: randomBytes(32) } });
  await expect(store.check()).rejects.toMatchObject({ name: 'StoreUnavailable' });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(store.check()).rejects.toThrow();
  await store.close();
});

describeS3('objects in S3', () => {
  objectStoreContract('S3', async () => {
    const { options, stop } = await bucket();
    const store = openS3ObjectStore(options);
    return {
      store,
      at: (now) => openS3ObjectStore({ ...options, now: () => now.getTime() }),
      boundsUploads: false,
      async remove() {
        await store.close();
        await stop();
      },
    };
  });

  describe('beyond the contract', () => {
    let place: Awaited<ReturnType<typeof bucket>>;
    beforeAll(async () => {
      place = await bucket();
    });
    afterAll(() => place.stop());

    it('leaves no unfinished upload if a long body fails', async () => {
      const store = openS3ObjectStore(place.options);
      const breaks = function* () {
        for (let piece = 0; piece < 20; piece++) yield Buffer.alloc(1024 ** 2);
        throw new Error('the sender is gone');
      };
      await expect(store.put('a', Readable.from(breaks()), { contentType: 'text/plain' })).rejects.toThrow('the sender is gone');
      const { Uploads = [] } = await place.client.send(new ListMultipartUploadsCommand({ Bucket: place.options.bucket }));
      expect(Uploads).toEqual([]);
      await store.close();
    });

    it('signs addresses for the public endpoint', async () => {
      const store = openS3ObjectStore({ ...place.options, publicEndpoint: 'https://files.example.com' });
      const url = await store.directDownload('a');
      expect(url.startsWith(`https://files.example.com/${place.options.bucket}/a?`)).toBe(true);
      await store.close();
    });

    it('treats a missing bucket as an error, not as a missing object', async () => {
      const store = openS3ObjectStore({ ...place.options, bucket: 'absent' });
      await expect(store.get('a')).rejects.toThrow();
      await expect(store.put('a', Buffer.from('a'), { contentType: 'text/plain' })).rejects.toThrow();
      await expect(store.check()).rejects.toMatchObject({ name: 'NotFound' });
      await store.close();
    });
  });
});
