import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderHttp } from '@parlance/chat-models';
import { providerNetwork } from './provider-network.ts';

describe('the addresses of a provider that an administrator adds', () => {
  let server: Server;
  let port: number;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((_, reply) => (requests++, reply.end('{}')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  const read = async (host: string, ranges: readonly string[]) => {
    const url = `http://${host}:${port}/v1`;
    const http = new ProviderHttp(url, providerNetwork(ranges));
    const signal = AbortSignal.timeout(5_000);
    const answers = [
      () => http.get(`${url}/models`, { headers: {}, signal }),
      () => http.pass(`${url}/chat/completions`, { headers: { 'content-length': '0' }, body: [], signal }),
      () => http.fetch(`${url}/chat/completions`, { method: 'POST', body: '', headers: {}, signal }),
    ];
    const codes = await Promise.all(
      answers.map((send) =>
        send().then(
          () => 'answered',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    http.close();
    return codes;
  };

  it.each(['127.0.0.1', 'localhost'])('are not private, by name or by number (%s)', async (host) => {
    requests = 0;
    expect(await read(host, [])).toEqual(Array.from({ length: 3 }, () => 'address_forbidden'));
    expect(requests).toBe(0);
  });
  it.each(['127.0.0.1', 'localhost'])('may be in the private ranges that the installation allows (%s)', async (host) => {
    expect(await read(host, ['127.0.0.0/8', '::1/128'])).toEqual(Array.from({ length: 3 }, () => 'answered'));
  });
});
