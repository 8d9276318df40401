import { IsOptional } from 'class-validator';
import type { Objection } from '../embedding-model.ts';
import { Key } from '../fields.ts';
import { Flag, OneOf, Region, Text, WebAddress } from '../rules.ts';

/** Any S3-compatible store. */
export class ObjectStoreConfig {
  @Key('Protocol of the store.') @OneOf('s3') readonly type!: 's3';
  @Key('Base URL, if not the default one.') @IsOptional() @WebAddress() readonly endpoint: string | null = null;
  @Key('Base URL as browsers and other clients reach the store, if it differs from `endpoint`. Addresses for uploads start with it.')
  @IsOptional()
  @WebAddress()
  readonly publicEndpoint: string | null = null;
  @Key('Region.') @Region() readonly region!: string;
  @Key('Bucket for all objects.') @Text('a bucket name', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/) readonly bucket!: string;
  @Key(
    'Access key ID. Without keys, the AWS identity of the process is used: its environment, its service account in Kubernetes, or its machine.',
  )
  @IsOptional()
  @Text('an access key id', /^[!-~]{1,256}$/)
  readonly accessKeyId: string | null = null;
  @Key('Secret key.', { secret: true }) @IsOptional() @Text('an access key', /^[!-~]{1,1024}$/) readonly secretAccessKey: string | null =
    null;
  @Key('Whether to put the bucket into the path instead of the host name. Most self-hosted stores need this.')
  @Flag()
  readonly forcePathStyle: boolean = false;
}

/** An error if only one of the access key ID and its secret is set. */
export function storeObjection(store: ObjectStoreConfig | null): Objection | null {
  if (!store || (store.accessKeyId === null) === (store.secretAccessKey === null)) return null;
  const key = store.accessKeyId === null ? 'accessKeyId' : 'secretAccessKey';
  return { path: `objectStore.${key}`, value: undefined, allowed: 'set, because an access key ID and its secret key belong together' };
}
