import { randomBytes } from 'node:crypto';
import { cachePath } from './cache.ts';
import { freePort } from '../free-port.ts';
import { pythonWith } from './python.ts';
import { givenServer, placeFor, type Server, startServer } from '../server.ts';

const VENV = 's3/venv';

export interface ObjectStore extends Server {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export function storePath(): string {
  return cachePath(VENV);
}

/** A bucket in the form of the configuration key `objectStore`. */
export interface Bucket {
  readonly type: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: true;
}

/** Creates a new bucket whose name begins with `name`. */
export async function bucketIn({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStore, name: string): Promise<Bucket> {
  const bucket = `${name}-${randomBytes(4).toString('hex')}`;
  // The server needs no signature.
  const response = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!response.ok) throw new Error(`making the bucket answered ${response.status}`);
  return { type: 's3', endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true };
}

const credentials = { region: 'us-east-1', accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * An S3-compatible server in memory: the one at S3_ENDPOINT, otherwise a new one. Rejects if the server cannot be fetched or started.
 */
export async function s3(): Promise<ObjectStore> {
  const configured = process.env.S3_ENDPOINT;
  if (configured) return { endpoint: configured, ...credentials, ...givenServer('The object store', async () => undefined) };
  const python = await pythonWith(VENV, ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5']);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await startServer(
    {
      name: 'The object store',
      command: python,
      args: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
      ready: () => fetch(endpoint).then(() => undefined),
    },
    await placeFor('s3', {}),
  );
  return Object.assign(server, { endpoint, ...credentials });
}
