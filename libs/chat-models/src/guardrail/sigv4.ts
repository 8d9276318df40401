import { createHash, createHmac } from 'node:crypto';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The headers of a request with its version 4 signature, for AWS services other than S3. The address has no query. */
export function signed(
  request: SignedRequest,
  keys: AwsKeys,
  scope: { readonly region: string; readonly service: string },
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const headers: Record<string, string> = { ...request.headers, host: request.url.host, 'x-amz-date': time };
  const names = Object.keys(headers).sort();
  const signedNames = names.join(';');
  // AWS encodes each part of the path a second time.
  const path = request.url.pathname.split('/').map(encodeURIComponent).join('/');
  const canonical = [
    request.method,
    path,
    '',
    ...names.map((name) => `${name}:${headers[name]!.trim()}`),
    '',
    signedNames,
    sha256(request.body),
  ].join('\n');
  const within = [time.slice(0, 8), scope.region, scope.service, 'aws4_request'];
  const text = [ALGORITHM, time, within.join('/'), sha256(canonical)].join('\n');
  const key = within.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const { host: _, ...sent } = headers;
  const authorization = `${ALGORITHM} Credential=${keys.accessKeyId}/${within.join('/')}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return { ...sent, authorization };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
