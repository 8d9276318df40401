import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  type DownloadGrant,
  type ListedObject,
  ObjectStore,
  type OpenObject,
  type PutOptions,
  type SignedDownload,
  type SignedUpload,
  type StoredObject,
  type UploadGrant,
  WrongSize,
} from './object-store.ts';
import { partsOf } from './body-parts.ts';
import { type AddressSigner, downloadAddress } from './file-addresses.ts';
import { assertContentType, assertKey, assertPrefix, disposition, lifetimeSeconds } from './rules.ts';
import { PART_BYTES, type Piece, uploadInParts } from './s3-multipart.ts';
import { answered, uploaded, watchedBody } from './s3-patience.ts';

const PAGE = 1_000;
const CONFLICT_TRIES = 5;
const CHECK_MILLIS = 1_000;
/** The longest time without progress of a request. Callers wait for it. */
const PATIENCE_MILLIS = 4_000;
/** Listing is slow in stores that keep objects as files of a directory. */
const LIST_PATIENCE_MILLIS = 20_000;
/** How long the store's own address of an object is valid: enough to follow a redirect. */
const DIRECT_MILLIS = 60_000;

export interface S3ObjectStoreOptions {
  readonly endpoint?: string;
  /** The endpoint for clients, if it differs. Signed addresses contain it. */
  readonly publicEndpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Without these, the SDK looks for credentials as it does on AWS (role, environment, profile). */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** Puts the bucket into the path instead of the host name, as most stores outside AWS require. */
  readonly forcePathStyle?: boolean;
  readonly now?: () => number;
  /** The longest time without progress of a request: of the store's answer, and of each piece of a body. Default: 4 seconds. */
  readonly patienceMillis?: number;
  /** Signs the addresses of downloads. The edge checks them and then redirects to the store. */
  readonly edge: Pick<AddressSigner, 'baseUrl' | 'secret'>;
}

/** Objects in a bucket of any S3-compatible store that supports conditional writes (If-None-Match). Sends no request yet. */
export function openS3ObjectStore(options: S3ObjectStoreOptions): S3ObjectStore {
  return new S3ObjectStore(options);
}

export class S3ObjectStore extends ObjectStore {
  private readonly client: S3Client;
  private readonly signer: S3Client;
  private readonly bucket: string;
  private readonly now: () => number;
  private readonly patience: number;
  private readonly listPatience: number;
  private readonly edge: S3ObjectStoreOptions['edge'];

  constructor(options: S3ObjectStoreOptions) {
    super();
    this.client = clientOf(options, options.endpoint);
    this.signer = options.publicEndpoint === undefined ? this.client : clientOf(options, options.publicEndpoint);
    this.bucket = options.bucket;
    this.now = options.now ?? Date.now;
    this.patience = options.patienceMillis ?? PATIENCE_MILLIS;
    this.listPatience = options.patienceMillis ?? LIST_PATIENCE_MILLIS;
    this.edge = options.edge;
  }

  async put(key: string, body: Uint8Array | Readable, { contentType, size, ifAbsent = false }: PutOptions): Promise<boolean> {
    assertKey(key);
    assertContentType(contentType);
    const condition = ifAbsent ? { IfNoneMatch: '*' } : {};
    const target = { ...this.at(key), ContentType: contentType };
    if (!(body instanceof Readable)) return this.putWhole(target, body, size, condition);
    const parts = partsOf(body, PART_BYTES);
    const [first, second] = [await parts.next(), await parts.next()];
    if (first.done || second.done) return this.putWhole(target, first.value ?? new Uint8Array(), size, condition);
    return present(uploadInParts(this.client, this.patience, target, joined(first.value, second.value, parts), size, condition));
  }

  async get(key: string): Promise<OpenObject | null> {
    assertKey(key);
    const command = new GetObjectCommand(this.at(key));
    const found = await unlessMissing(answered(this.patience, (abortSignal) => this.client.send(command, { abortSignal })));
    return found && { ...describe(found), body: watchedBody(found.Body as Readable, this.patience) };
  }

  async stat(key: string): Promise<StoredObject | null> {
    assertKey(key);
    const command = new HeadObjectCommand(this.at(key));
    const found = await unlessMissing(answered(this.patience, (abortSignal) => this.client.send(command, { abortSignal })));
    return found && describe(found);
  }

  async remove(key: string): Promise<void> {
    assertKey(key);
    const command = new DeleteObjectCommand(this.at(key));
    await answered(this.patience, (abortSignal) => this.client.send(command, { abortSignal }));
  }

  async list(prefix: string, { after, limit }: { readonly after?: string; readonly limit: number }): Promise<readonly ListedObject[]> {
    assertPrefix(prefix);
    const listed: ListedObject[] = [];
    // A store may return fewer entries than requested before the end of the list.
    for (let last = after, more = true; more && listed.length < limit; last = listed.at(-1)?.key) {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: prefix,
        StartAfter: last,
        MaxKeys: Math.min(PAGE, limit - listed.length),
      });
      const page = await answered(this.listPatience, (abortSignal) => this.client.send(command, { abortSignal }));
      const contents = page.Contents ?? [];
      for (const { Key = '', Size = 0, LastModified } of contents) {
        // An object without a date counts as new, so that no clean-up considers it abandoned.
        listed.push({ key: Key, size: Size, modified: LastModified ?? new Date(this.now()) });
      }
      more = page.IsTruncated === true && contents.length > 0;
    }
    return listed;
  }

  async signedUpload(key: string, { contentType, expiresAt }: UploadGrant): Promise<SignedUpload> {
    assertKey(key);
    assertContentType(contentType);
    const command = new PutObjectCommand({ ...this.at(key), ContentType: contentType });
    // Otherwise the type would not be signed, and the client could send any type.
    const url = await getSignedUrl(this.signer, command, { ...this.life(expiresAt), signableHeaders: new Set(['host', 'content-type']) });
    return { url, method: 'PUT', headers: { 'content-type': contentType } };
  }

  async signedDownload(key: string, grant: DownloadGrant): Promise<SignedDownload> {
    return downloadAddress({ ...this.edge, now: this.now }, key, grant);
  }

  async directDownload(key: string, fileName?: string): Promise<string> {
    assertKey(key);
    const command = new GetObjectCommand({ ...this.at(key), ResponseContentDisposition: disposition(key, fileName) });
    return getSignedUrl(this.signer, command, this.life(new Date(this.now() + DIRECT_MILLIS)));
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.bucket });
    await answered(CHECK_MILLIS, (abortSignal) => this.client.send(command, { abortSignal }));
  }

  async close(): Promise<void> {
    this.client.destroy();
    if (this.signer !== this.client) this.signer.destroy();
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: key };
  }

  private life(expiresAt: Date): { expiresIn: number; signingDate: Date } {
    const now = this.now();
    return { expiresIn: Math.max(1, lifetimeSeconds(expiresAt, now)), signingDate: new Date(now) };
  }

  private async putWhole(target: Piece, body: Uint8Array, size: number | undefined, condition: { IfNoneMatch?: string }): Promise<boolean> {
    if (size !== undefined && size !== body.length) throw new WrongSize(size, body.length);
    for (let tries = 1; ; tries++) {
      try {
        const command = new PutObjectCommand({ ...target, Body: body, ...condition });
        return await present(uploaded(this.client, this.patience, command));
      } catch (error) {
        // Two conditional writes collided. S3 asks the loser to try again.
        if (statusOf(error) !== 409 || tries === CONFLICT_TRIES) throw error;
      }
    }
  }
}

function clientOf({ region, accessKeyId, secretAccessKey, forcePathStyle }: S3ObjectStoreOptions, endpoint: string | undefined): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId !== undefined && secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // By default the SDK adds checksums that many stores do not support, and signs the checksum of an empty body into upload addresses.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The bodies are in memory, so waiting for the store's consent to each of them saves nothing, and some stores never send it.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 60_000 },
  });
}

async function* joined(first: Buffer, second: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield second;
  yield* rest;
}

function describe({
  ContentLength = 0,
  ContentType = '',
  ETag = '',
}: {
  ContentLength?: number;
  ContentType?: string;
  ETag?: string;
}): StoredObject {
  return { size: ContentLength, contentType: ContentType, etag: ETag };
}

/** True if the object was written, false if `IfNoneMatch` prevented it. */
async function present(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (statusOf(error) === 412) return false;
    throw error;
  }
}

async function unlessMissing<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    // A missing bucket is a configuration error, not a missing object. HEAD cannot distinguish them.
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null;
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
