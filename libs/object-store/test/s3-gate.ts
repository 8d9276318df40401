import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const byCode = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Checks a version 4 signature in a query by computing it again from the received request. */
function isSignedBy(secret: string, request: IncomingMessage, url: URL): boolean {
  const { searchParams: query } = url;
  const [, day = '', region = '', service = ''] = (query.get('X-Amz-Credential') ?? '').split('/');
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const pairs = [...query].filter(([name]) => name !== 'X-Amz-Signature').map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');
  const canonical = [request.method, path, pairs.sort(byCode).join('&'), headers, names.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date'), `${day}/${region}/${service}/aws4_request`, digest].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const [given, expected] = [Buffer.from(query.get('X-Amz-Signature') ?? '', 'hex'), hmac(key, text)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hasExpired(query: URLSearchParams): boolean {
  const at = (query.get('X-Amz-Date') ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return !(Date.parse(at) + Number(query.get('X-Amz-Expires')) * 1000 > Date.now());
}

/**
 * Checks signed addresses as S3 does, which the imitation of S3 in the tests does not do: refuses requests whose signature is missing, invalid or
 * expired. Requests with a signature in a header come from the SDK and pass.
 */
export async function s3Gate(endpoint: string, secret: string): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', endpoint);
    const passes = request.headers.authorization !== undefined || (isSignedBy(secret, request, url) && !hasExpired(url.searchParams));
    if (!passes) {
      request.resume();
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    const { hostname, port } = new URL(endpoint);
    const passed = forward({ hostname, port, path: request.url, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
