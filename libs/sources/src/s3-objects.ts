import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { shown, SourceFailed } from './source-failed.ts';
import { type Fingerprint, type Opened, type SourceItem, SourceReader } from './source.ts';
import { translatedBody } from './page-body.ts';

export interface S3SourcesOptions {
  readonly endpoint?: string;
  readonly region: string;
  /** Without these, the SDK looks for credentials as it does on AWS (role, environment, profile). */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly forcePathStyle?: boolean;
  /** What bots may read: `bucket` or `bucket/prefix/`. Anything else is refused before a request. */
  readonly readable: readonly string[];
}

export interface S3Bounds {
  readonly maxObjects: number;
  readonly maxBytes: number;
  /** For an answer of the store, with all repeats by the SDK. */
  readonly answerMillis: number;
  /** For the content of one object. */
  readonly timeoutMillis: number;
}

export const DEFAULT_S3_BOUNDS: S3Bounds = { maxObjects: 10_000, maxBytes: 50 * 1024 ** 2, answerMillis: 30_000, timeoutMillis: 60_000 };

const PAGE = 1_000;

interface Location {
  readonly bucket: string;
  readonly prefix: string;
}

type Sdk = typeof import('@aws-sdk/client-s3');

interface Connection {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** The buckets that bots may read. One instance per process. */
export class S3Sources {
  private readonly readable: readonly Location[];
  private client: S3Client | undefined;

  constructor(private readonly options: S3SourcesOptions) {
    this.readable = options.readable.map(locationOf);
  }

  /** Throws SourceFailed `address_invalid`, or `bucket_forbidden` if the deployment does not allow the bucket and prefix. */
  objects(url: string, bounds: Partial<S3Bounds> = {}): SourceReader {
    const [, bucket = '', prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^\0]{0,1024}))?$/.exec(url) ?? [];
    if (bucket === '') throw new SourceFailed('address_invalid', `${shown(url)} is not an S3 address. Write it as s3://bucket/prefix/.`);
    const isReadable = this.readable.some((place) => place.bucket === bucket && prefix.startsWith(place.prefix));
    if (!isReadable) {
      const message = `${shown(url)} is not among the buckets that this deployment may read. Ask an administrator to allow it.`;
      throw new SourceFailed('bucket_forbidden', message);
    }
    return new S3Reader(() => this.connected(), url, { bucket, prefix }, { ...DEFAULT_S3_BOUNDS, ...bounds });
  }

  close(): void {
    this.client?.destroy();
  }

  /** The SDK is loaded by the first reader, because most installations never need it. */
  private async connected(): Promise<Connection> {
    const sdk = await import('@aws-sdk/client-s3');
    return { sdk, client: (this.client ??= clientOf(sdk, this.options)) };
  }
}

const clientOf = (sdk: Sdk, { region, endpoint, accessKeyId, secretAccessKey, forcePathStyle }: S3SourcesOptions): S3Client =>
  new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId !== undefined && secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // By default the SDK adds checksums that many stores do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** A prefix ends with `/`, so that `docs` does not give access to `docs-private`. */
function locationOf(text: string): Location {
  const [bucket = '', ...rest] = text.replace(/^s3:\/\//, '').split('/');
  const prefix = rest.join('/');
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
}

class S3Reader extends SourceReader {
  found = 0;
  isComplete = false;
  isCut = false;

  constructor(
    private readonly connected: () => Promise<Connection>,
    readonly url: string,
    private readonly place: Location,
    private readonly bounds: S3Bounds,
  ) {
    super();
  }

  async *items(signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const { bucket: Bucket, prefix: Prefix } = this.place;
    const { sdk, client } = await this.connected();
    let token: string | undefined;
    do {
      const list = new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: PAGE, ContinuationToken: token });
      const page = await this.answered((abortSignal) => client.send(list, { abortSignal }), signal);
      const objects = (page.Contents ?? []).filter(({ Key = '/' }) => !Key.endsWith('/'));
      const room = this.bounds.maxObjects - this.found;
      if (objects.length > room) this.isCut = true;
      const taken = objects.slice(0, room);
      this.found += taken.length;
      for (const { Key = '', Size = 0, ETag, LastModified } of taken) {
        const listed = { etag: ETag ?? null, lastModified: LastModified?.toUTCString() ?? null };
        yield this.item(Key, Size, listed, signal);
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined && !this.isCut);
    this.isComplete = true;
  }

  private item(objectKey: string, size: number, listed: Fingerprint, signal: AbortSignal): SourceItem {
    const key = `s3://${this.place.bucket}/${objectKey}`;
    return {
      key,
      name: objectKey.split('/').at(-1) ?? objectKey,
      isNamed: false,
      listed,
      open: async (since) => {
        if (listed.etag !== null && since?.etag === listed.etag) return { status: 'unchanged', fingerprint: listed };
        if (size > this.bounds.maxBytes) throw this.tooLarge(key);
        return this.open(key, objectKey, signal);
      },
    };
  }

  private async open(key: string, Key: string, signal: AbortSignal): Promise<Opened> {
    const { sdk, client } = await this.connected();
    const get = new sdk.GetObjectCommand({ Bucket: this.place.bucket, Key });
    const object = await this.answered((abortSignal) => client.send(get, { abortSignal }), signal).catch((error: unknown) => {
      // Removed since it was listed.
      if (error instanceof SourceFailed && error.code === 'not_found') return null;
      throw error;
    });
    if (object === null) return { status: 'skipped', reason: 'gone' };
    const source = object.Body as Readable;
    source.on('error', () => {});
    // It may have grown since it was listed.
    if ((object.ContentLength ?? 0) > this.bounds.maxBytes) {
      source.destroy();
      throw this.tooLarge(key);
    }
    const stop = () => source.destroy(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const late = new SourceFailed('timeout', `${shown(key)} could not be read within the time limit. Sync again later.`);
    const timer = setTimeout(() => source.destroy(late), this.bounds.timeoutMillis);
    source.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
    const fingerprint = { etag: object.ETag ?? null, lastModified: object.LastModified?.toUTCString() ?? null };
    const body = translatedBody(source, (error) => this.failureOf(error, signal));
    return { status: 'changed', url: key, contentType: object.ContentType ?? '', fingerprint, body };
  }

  private async answered<T>(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const late = new AbortController();
    // Not a signal of AbortSignal.timeout(), which would also end the body of an object.
    const timer = setTimeout(() => late.abort(), this.bounds.answerMillis);
    try {
      return await request(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      throw this.failureOf(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private failureOf(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof SourceFailed) return error;
    // Errors of the service have its answer, others do not.
    const { $metadata: answer } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
    const status = answer?.httpStatusCode;
    const url = shown(this.url);
    if (status === 401 || status === 403) {
      return new SourceFailed('access_denied', `The store refuses access to ${url}. Ask an administrator to check its credentials.`, {
        cause: error,
      });
    }
    if (status === 404) return new SourceFailed('not_found', `${url} does not exist. Correct the address or remove it.`, { cause: error });
    return new SourceFailed('unreachable', `The store of ${url} could not be reached. Sync again later.`, { cause: error });
  }

  private tooLarge(key: string): SourceFailed {
    return new SourceFailed(
      'too_large',
      `${shown(key)} is larger than ${this.bounds.maxBytes} bytes. Split it, or remove it from the bucket.`,
    );
  }
}
