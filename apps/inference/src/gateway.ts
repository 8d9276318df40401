import { NoObjectStore } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { GatewayFileStore } from './adapters/gateway/gateway-file-store.ts';
import { FilesController } from './http/gateway/files.controller.ts';
import { RemoveFilesOfCallsWhenTheyExpire } from './policies/remove-files-of-calls-when-they-expire.ts';
import { StoredFiles } from './workflows/gateway/stored-files.ts';

/** The parts of the module that store files for calls of models. */
export const gateway = {
  controllers: [FilesController],
  providers: [
    {
      provide: GatewayFileStore,
      useFactory: (objects: ObjectStore) => new GatewayFileStore(objects instanceof NoObjectStore ? null : objects),
      inject: [ObjectStore],
    },
    StoredFiles,
    RemoveFilesOfCallsWhenTheyExpire,
  ],
};
