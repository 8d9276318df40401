import { NoObjectStore } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { BatchResultStore } from './adapters/gateway/batch-results.ts';
import { GatewayFileStore } from './adapters/gateway/gateway-file-store.ts';
import { BatchesController } from './http/gateway/batches.controller.ts';
import { FilesController } from './http/gateway/files.controller.ts';
import { RemoveBatchesWhenTheirTimeIsOver } from './policies/remove-batches-when-their-time-is-over.ts';
import { RemoveFilesOfCallsWhenTheyExpire } from './policies/remove-files-of-calls-when-they-expire.ts';
import { BatchInput } from './workflows/gateway/batch-input.ts';
import { BatchOutputs } from './workflows/gateway/batch-outputs.ts';
import { BatchProgress } from './workflows/gateway/batch-progress.ts';
import { BatchTokens } from './workflows/gateway/batch-tokens.ts';
import { GatewayBatches } from './workflows/gateway/gateway-batches.ts';
import { LineCalls } from './workflows/gateway/line-calls.ts';
import { RunningBatches } from './workflows/gateway/running-batches.ts';
import { StoredFiles } from './workflows/gateway/stored-files.ts';

/** The parts of the module that run batches of calls of models, and store their files. */
export const gateway = {
  controllers: [FilesController, BatchesController],
  providers: [
    {
      provide: GatewayFileStore,
      useFactory: (objects: ObjectStore) => new GatewayFileStore(objects instanceof NoObjectStore ? null : objects),
      inject: [ObjectStore],
    },
    {
      provide: BatchResultStore,
      useFactory: (objects: ObjectStore) => new BatchResultStore(objects instanceof NoObjectStore ? null : objects),
      inject: [ObjectStore],
    },
    StoredFiles,
    BatchInput,
    BatchOutputs,
    BatchProgress,
    BatchTokens,
    LineCalls,
    RunningBatches,
    GatewayBatches,
    RemoveBatchesWhenTheirTimeIsOver,
    RemoveFilesOfCallsWhenTheyExpire,
  ],
};
