import { LanceIndexes } from './lance/lance-indexes.ts';
import { loadLance } from './lance/native.ts';

export type { LanceIndexes } from './lance/lance-indexes.ts';

export interface LanceIndexesOptions {
  /** A directory, or `s3://bucket/prefix`. */
  readonly uri: string;
  /** For object storage. `storageOptionsOf` returns the options for an S3-compatible store. */
  readonly storageOptions?: Readonly<Record<string, string>>;
}

/** Rejects with `AdapterUnavailable` if the native part of LanceDB is not installed. */
export async function openLanceIndexes({ uri, storageOptions }: LanceIndexesOptions): Promise<LanceIndexes> {
  const lance = await loadLance();
  return new LanceIndexes(lance, await lance.connect(uri, storageOptions ? { storageOptions: { ...storageOptions } } : {}));
}

export interface S3Access {
  readonly region: string;
  readonly endpoint?: string;
  /** Needs `secretAccessKey`. Without both, the machine's credentials are used. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly forcePathStyle?: boolean;
}

/** The options of an S3-compatible store. Plain HTTP is allowed only for endpoints that start with `http:`. */
export function storageOptionsOf({ region, endpoint, accessKeyId, secretAccessKey, forcePathStyle }: S3Access): Record<string, string> {
  return {
    region,
    ...(endpoint !== undefined && { endpoint, allow_http: String(endpoint.startsWith('http:')) }),
    ...(accessKeyId !== undefined && secretAccessKey !== undefined && { access_key_id: accessKeyId, secret_access_key: secretAccessKey }),
    virtual_hosted_style_request: String(forcePathStyle === false),
  };
}
