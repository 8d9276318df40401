import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { selfSigned, waitFor } from '@parlance/testing';
import { BOUNDS, FetchRig, HOST } from '../test/fetch-rig.ts';
import { serve, started } from '../test/servers.ts';
import { GuardedFetch } from './guarded-fetch.ts';

describe('guarded fetch', () => {
  const rig = new FetchRig();
  beforeAll(() => rig.start());
  afterAll(() => rig.stop());
  beforeEach(() => rig.renew());
  afterEach(() => rig.guarded.close());

  describe('bodies', () => {
    const encoded = (encoding: string, bytes: Buffer) => {
      rig.answer = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    };

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
    ] as const)('are decompressed: %s', async (encoding, compress) => {
      encoded(encoding, compress(Buffer.from('a text')));
      expect(await rig.text()).toBe('a text');
    });

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ] as const)('are bounded after decompression: %s', async (encoding, compress) => {
      encoded(encoding, compress(Buffer.alloc(20_000_000)));
      const { body } = await rig.get();
      let bytes = 0;
      const reading = (async () => {
        for await (const chunk of body) bytes += (chunk as Buffer).length;
      })();
      await expect(reading).rejects.toMatchObject({ code: 'too_large' });
      expect(bytes).toBeLessThanOrEqual(BOUNDS.maxBytes);
    });

    it('are refused with several encodings, unknown ones and damaged data', async () => {
      encoded('gzip, gzip', gzipSync(gzipSync('a')));
      await expect(rig.text()).rejects.toMatchObject({ code: 'encoding_unsupported' });
      encoded('zstd', Buffer.from('a'));
      await expect(rig.text()).rejects.toMatchObject({ code: 'encoding_unsupported' });
      encoded('gzip', Buffer.from('this is not compressed'));
      await expect(rig.text()).rejects.toMatchObject({ code: 'response_invalid' });
      encoded('gzip', gzipSync('a longer text').subarray(0, 20));
      await expect(rig.text()).rejects.toMatchObject({ code: 'response_invalid' });
    });

    it('are refused at once when their announced size is too large', async () => {
      rig.answer = (_, response) => response.writeHead(200, { 'content-length': '1000000' }).write('a');
      await expect(rig.get()).rejects.toMatchObject({ code: 'too_large' });
    });

    it('are cut at the limit when their size is not announced', async () => {
      rig.answer = (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(10_000)));
        };
        response.on('drain', more);
        more();
      };
      await expect(rig.text()).rejects.toMatchObject({ code: 'too_large' });
      await expect(rig.text('/', { maxBytes: 1_000_000 }).then((whole) => whole.length)).rejects.toMatchObject({ code: 'too_large' });
    });

    it('that end early are an error', async () => {
      rig.answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('a', () => response.destroy());
      await expect(rig.text()).rejects.toMatchObject({ code: 'unreachable' });
    });

    it('that are not read have their connection closed at the time limit', async () => {
      let closed: Promise<unknown> | undefined;
      rig.answer = (request, response) => {
        closed = once(request.socket, 'close');
        response.write('a');
      };
      const { body } = await rig.get('/', { timeoutMillis: 300 });
      await closed;
      await waitFor(() => body.errored !== null);
      expect(body.errored).toMatchObject({ code: 'timeout' });
    });

    it('that are abandoned have their connection closed', async () => {
      let closed: Promise<unknown> | undefined;
      rig.answer = (request, response) => {
        closed = once(request.socket, 'close');
        response.write('a');
      };
      (await rig.get()).dump();
      await closed;
      const { body } = await rig.get();
      await once(body, 'data');
      body.destroy();
      await closed;
    });
  });

  describe('time', () => {
    it('applies until the headers arrive', async () => {
      rig.answer = () => {};
      await expect(rig.get('/', { timeoutMillis: 300 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it('applies to a slow body', async () => {
      rig.answer = (_, response) => {
        const drops = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(drops));
      };
      await expect(rig.text('/', { timeoutMillis: 400 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it('applies to a name server', async () => {
      rig.guarded = new GuardedFetch({ allowedPrivateRanges: [], lookup: () => new Promise(() => {}) });
      await expect(rig.guarded.fetch('http://a.test/', { ...BOUNDS, timeoutMillis: 200 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it("is cut short by the caller's signal, before the headers and in the body", async () => {
      const reason = new Error('enough');
      const early = new AbortController();
      rig.answer = () => early.abort(reason);
      await expect(rig.get('/', { signal: early.signal })).rejects.toBe(reason);
      await expect(rig.get('/', { signal: early.signal })).rejects.toBe(reason);
      const late = new AbortController();
      rig.answer = (_, response) => response.write('a');
      const fetched = await rig.get('/', { signal: late.signal });
      late.abort(reason);
      await expect(fetched.text(100)).rejects.toBe(reason);
    });

    it('is cut short when the client is closed', async () => {
      rig.answer = (_, response) => response.write('a');
      const fetched = await rig.get();
      await rig.guarded.close();
      await expect(fetched.text(100)).rejects.toMatchObject({ code: 'closed' });
      await expect(rig.get()).rejects.toMatchObject({ code: 'closed' });
    });
  });

  describe('malformed answers', () => {
    it.each([
      [
        'headers of 100 KB',
        (response: ServerResponse) => response.writeHead(200, { 'x-a': 'a'.repeat(100_000) }).end(),
        'headers_too_large',
      ],
      ['no HTTP', (response: ServerResponse) => response.socket?.end('220 ready\r\n'), 'response_invalid'],
      ['no answer', (response: ServerResponse) => response.socket?.destroy(), 'unreachable'],
    ])('%s', async (_, respond, code) => {
      rig.answer = (_request, response) => void respond(response);
      await expect(rig.get()).rejects.toMatchObject({ code });
    });

    it('a certificate that no authority signed is refused', async () => {
      const tls = await started(
        createTlsServer(selfSigned('a.test'), (_, response) => void response.end('a')),
        HOST,
        0,
      );
      await expect(rig.guarded.fetch(`https://${HOST}:${tls.port}/`, BOUNDS)).rejects.toMatchObject({ code: 'certificate_invalid' });
      await tls.stop();
    });

    it('a closed port is unreachable, and an unknown name is unknown', async () => {
      const gone = await serve(() => {});
      await gone.stop();
      await expect(rig.guarded.fetch(gone.origin, BOUNDS)).rejects.toMatchObject({ code: 'unreachable' });
      await expect(rig.guarded.fetch('http://name.invalid/', BOUNDS)).rejects.toMatchObject({ code: 'host_unknown' });
    });
  });
});
