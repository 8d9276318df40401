import { cachePath } from './cache.ts';
import { freePort } from '../free-port.ts';
import { pythonWith } from './python.ts';
import { placeFor, type Server, startServer } from '../server.ts';

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

/** A bucket of this server, as the configuration key `objectStore` takes it. */
export async function bucketIn({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStore, bucket: string): Promise<object> {
  // The server asks for no signature.
  const made = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`making the bucket answered ${made.status}`);
  return { type: 's3', endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true };
}

/** A new, empty S3-compatible server, which keeps everything in memory; make the bucket you need. Rejects when it can't be fetched or started. */
export async function s3(): Promise<ObjectStore> {
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
  return Object.assign(server, { endpoint, region: 'us-east-1', accessKeyId: 'test', secretAccessKey: 'test' });
}
