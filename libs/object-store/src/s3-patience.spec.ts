import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ObjectStore, StoreUnavailable } from './object-store.ts';
import { openS3ObjectStore } from './s3.ts';
import { answered } from './s3-patience.ts';

const PATIENCE_MILLIS = 300;
/** For stores that answer in time, even on a busy machine. */
const LONG_MILLIS = 1_200;
const PIECE = 8 * 1024 ** 2;
const text = { contentType: 'text/plain' };

describe('an S3 store that does not answer in time', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  /** A store at a server with these answers. */
  async function storeAt(answer: RequestListener, patienceMillis = PATIENCE_MILLIS): Promise<ObjectStore> {
    return storeOf(await listening(createServer(answer)), patienceMillis);
  }

  async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  function storeOf(port: number, patienceMillis = PATIENCE_MILLIS): ObjectStore {
    const endpoint = `http://127.0.0.1:${port}`;
    const access = { region: 'eu', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b', forcePathStyle: true };
    const store = openS3ObjectStore({ ...access, endpoint, patienceMillis, edge: { baseUrl: endpoint, secret: new Uint8Array(32) } });
    open.push(() => store.close());
    return store;
  }

  const uses: readonly [string, (store: ObjectStore) => Promise<unknown>][] = [
    ['put', (store) => store.put('a', Buffer.from('a'), text)],
    ['a put of several pieces', (store) => store.put('a', Readable.from([Buffer.alloc(PIECE), Buffer.alloc(PIECE)]), text)],
    ['get', (store) => store.get('a')],
    ['stat', (store) => store.stat('a')],
    ['remove', (store) => store.remove('a')],
    ['list', (store) => store.list('', { limit: 1 })],
  ];

  it.each(uses)('is reported after one wait by %s', async (_, use) => {
    let requests = 0;
    const store = await storeAt(() => requests++);
    await expect(use(store)).rejects.toBeInstanceOf(StoreUnavailable);
    // A repeat by the SDK would add to the wait.
    expect(requests).toBeLessThanOrEqual(1);
  });

  it.each(uses)('is reported when it cannot be reached by %s', async (_, use) => {
    const server = createTcpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(use(storeOf(port, 5_000))).rejects.toMatchObject({ name: 'StoreUnavailable', cause: { code: 'ECONNREFUSED' } });
  });

  it.each(uses)('is reported when it refuses the credentials by %s', async (_, use) => {
    const refusal = '<Error><Code>InvalidAccessKeyId</Code><Message>Unknown key.</Message></Error>';
    const store = await storeAt((request, response) => {
      request.resume();
      response.writeHead(403, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? undefined : refusal);
    }, LONG_MILLIS);
    await expect(use(store)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('is reported when it answers 401 or there are no credentials, and not when it refuses the request itself', async () => {
    const failing = (error: Error) => answered(LONG_MILLIS, () => Promise.reject(error)).catch((reported: unknown) => reported);
    const refusal = (httpStatusCode: number) => new S3ServiceException({ name: 'No', $fault: 'client', $metadata: { httpStatusCode } });
    expect(await failing(refusal(401))).toBeInstanceOf(StoreUnavailable);
    expect(await failing(Object.assign(new Error('none'), { name: 'CredentialsProviderError' }))).toBeInstanceOf(StoreUnavailable);
    for (const status of [400, 404, 412]) expect(await failing(refusal(status))).toBeInstanceOf(S3ServiceException);
  });

  it('is reported when it stops in the middle of a body', async () => {
    const store = await storeAt(
      (_, response) => void response.writeHead(200, { 'content-length': '1000', etag: 'e' }).write('beginning'),
      LONG_MILLIS,
    );
    const { body } = (await store.get('a'))!;
    const read: string[] = [];
    const reading = (async () => {
      for await (const piece of body) read.push(String(piece));
    })();
    await expect(reading).rejects.toBeInstanceOf(StoreUnavailable);
    expect(read).toEqual(['beginning']);
  });

  it('is reported when it stops in the middle of an upload', async () => {
    const store = await storeAt((request) => request.once('data', () => request.pause()));
    const upload = store.put('a', Readable.from([Buffer.alloc(PIECE)]), text);
    await expect(upload).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('is not reported for a body that takes longer and arrives', async () => {
    const pieces = 8;
    const store = await storeAt((_, response) => {
      response.writeHead(200, { 'content-length': String(pieces), etag: 'e' });
      let sent = 0;
      const sending = setInterval(() => {
        response.write('x');
        if (++sent === pieces) clearInterval(sending);
      }, LONG_MILLIS / 4);
    }, LONG_MILLIS);
    expect(String(await buffer((await store.get('a'))!.body))).toBe('x'.repeat(pieces));
  });

  it('is not reported for a reader that takes longer than the store', async () => {
    const content = Buffer.alloc(4 * 1024 ** 2, 'x');
    const store = await storeAt(
      (_, response) => void response.writeHead(200, { 'content-length': content.length, etag: 'e' }).end(content),
      LONG_MILLIS,
    );
    const { body } = (await store.get('a'))!;
    let length = 0;
    for await (const piece of body) {
      if (length === 0) await new Promise((resolve) => setTimeout(resolve, 1.5 * LONG_MILLIS));
      length += (piece as Buffer).length;
    }
    expect(length).toBe(content.length);
  });

  it('is not reported for an upload that takes longer and moves', async () => {
    let received = 0;
    const target = await listening(
      createServer((request, response) => {
        request.on('data', (piece: Buffer) => (received += piece.length));
        request.once('end', () => response.writeHead(200, { etag: 'e' }).end());
      }),
    );
    // Passes on one piece at a time, so that the upload takes several times its patience.
    const slow = createTcpServer((client: Socket) => {
      const server = connect(target);
      server.pipe(client);
      client.on('error', () => server.destroy());
      server.on('error', () => client.destroy());
      client.on('close', () => server.destroy());
      client.on('data', (piece) => {
        server.write(piece);
        client.pause();
        setTimeout(() => client.resume(), 15);
      });
    });
    const store = storeOf(await listening(slow), LONG_MILLIS);
    const began = performance.now();
    expect(await store.put('a', Buffer.alloc(PIECE), text)).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(LONG_MILLIS);
    expect(received).toBe(PIECE);
  });

  it('closes the connection of a body that is no longer read', async () => {
    const closed = Promise.withResolvers<void>();
    const store = await storeAt((_, response) => {
      response.once('close', () => closed.resolve());
      response.writeHead(200, { 'content-length': '1000', etag: 'e' }).write('x');
    }, LONG_MILLIS);
    (await store.get('a'))!.body.destroy();
    await closed.promise;
  });
});

it('a request whose answer comes before the end of its body leaves no timer, also when more of the body is sent', async () => {
  jest.useFakeTimers();
  try {
    let send = (_: number) => undefined as void;
    const answer = answered(PATIENCE_MILLIS, async (_, progress) => {
      send = progress;
      progress(1);
      expect(jest.getTimerCount()).toBe(1);
      return 'early';
    });
    expect(await answer).toBe('early');
    send(2);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
