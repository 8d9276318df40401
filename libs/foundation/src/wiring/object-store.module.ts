import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import type { DataDirectory } from '@parlance/installation';
import { ObjectStore } from '@parlance/object-store';
import type { FileDoor } from '@parlance/object-store/doors';
import type { MasterKey } from '@parlance/privacy';
import { ObjectStoreHealth } from '../health/object-store-health.ts';
import type { Host } from '../process/host.ts';
import { StoredFilesController } from './stored-files.controller.ts';

/** The store of uploaded files, shared by all services of one process. */
export interface Objects {
  /** Opens the store at the first call. */
  store(): Promise<ObjectStore>;
  /** Serves the signed addresses of a store in the data directory. Null for S3, to which the edge redirects clients, and without a store. */
  readonly door: FileDoor | null;
  /** Null without a store. */
  readonly health: ObjectStoreHealth | null;
  close(): Promise<void>;
}

/**
 * Chooses the store: S3 if `objectStore` is configured, otherwise files in the data directory. With neither (for example with only `mongoUri`),
 * the service starts and each use is refused, because other processes could not read files of this machine.
 */
export async function openObjects(config: Config, directory: DataDirectory | null, master: MasterKey): Promise<Objects> {
  if (config.objectStore !== null) return objectsInS3(config.objectStore, signerOf(config, master));
  const isAlone = config.mongoUri === null && Object.keys(config.services).length === 0;
  return directory && isAlone ? objectsInFiles(config, directory, master) : noObjects;
}

/** The edge derives the same secret, so it can verify the addresses that services sign. */
const signerOf = ({ publicBaseUrl }: Config, master: MasterKey) => ({ baseUrl: publicBaseUrl, secret: addressSecret(master) });

export const addressSecret = (master: MasterKey): Uint8Array => master.derive('file-addresses');

function objectsInS3(
  { region, bucket, accessKeyId, secretAccessKey, forcePathStyle, ...addresses }: NonNullable<Config['objectStore']>,
  edge: ReturnType<typeof signerOf>,
): Objects {
  let opened: Promise<ObjectStore> | undefined;
  const open = async () => {
    const { openS3ObjectStore } = await import('@parlance/object-store/s3');
    const { endpoint, publicEndpoint } = addresses;
    return openS3ObjectStore({
      region,
      bucket,
      ...(accessKeyId !== null && secretAccessKey !== null && { accessKeyId, secretAccessKey }),
      forcePathStyle,
      ...(endpoint !== null && { endpoint }),
      ...(publicEndpoint !== null && { publicEndpoint }),
      edge,
    });
  };
  const store = () => (opened ??= open());
  return {
    store,
    door: null,
    health: new ObjectStoreHealth(async () => (await store()).check()),
    close: async () => (await opened)?.close(),
  };
}

async function objectsInFiles(config: Config, directory: DataDirectory, master: MasterKey): Promise<Objects> {
  const { openFileDoor, openFileObjectStore } = await import('@parlance/object-store/files');
  const signer = signerOf(config, master);
  const store = await openFileObjectStore({
    directory: directory.objects,
    ...signer,
    isOnlyUser: true,
    removalAllowed: () => directory.removals.allowed(),
  });
  return {
    store: async () => store,
    door: openFileDoor({ store, secret: signer.secret }),
    health: new ObjectStoreHealth(() => store.check()),
    close: () => store.close(),
  };
}

const noObjects: Objects = {
  store: async () => new NoObjectStore(),
  door: null,
  health: null,
  close: async () => undefined,
};

/** Used if no store is configured. Every use is refused with `object_store_not_configured` (unavailable). */
export class NoObjectStore extends ObjectStore {
  put = refuseUse;
  get = refuseUse;
  stat = refuseUse;
  remove = refuseUse;
  list = refuseUse;
  signedUpload = refuseUse;
  signedDownload = refuseUse;
  directDownload = refuseUse;
  check = refuseUse;

  async close(): Promise<void> {
    // Nothing is open.
  }
}

async function refuseUse(): Promise<never> {
  throw refuse(
    'unavailable',
    'object_store_not_configured',
    'Files cannot be stored here. Set the configuration key objectStore and restart the services.',
  );
}

/** Provides `ObjectStore` to a service that stores files. */
@Module({})
export class ObjectStoreModule {
  static of(host: Host): DynamicModule {
    return {
      module: ObjectStoreModule,
      controllers: [StoredFilesController],
      providers: [{ provide: ObjectStore, useFactory: () => host.objects.store() }],
      exports: [ObjectStore],
    };
  }
}
