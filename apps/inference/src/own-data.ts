import { NoObjectStore } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { OwnExportFiles } from './adapters/own-data/own-export-files.ts';
import { FetchedOwnExports } from './http/own-data/own-export-answers.ts';
import { AdminOwnExportsController, OwnExportsController } from './http/own-data/own-exports.controller.ts';
import { EndOwnExportsWhenTheyExpire } from './policies/end-own-exports-when-they-expire.ts';
import { OwnDataArchive } from './workflows/own-data/own-data-archive.ts';
import { OwnExports } from './workflows/own-data/own-exports.ts';
import { WritingOwnExports } from './workflows/own-data/writing-own-exports.ts';

/** The parts of the module that export users' own data. */
export const ownData = {
  controllers: [OwnExportsController, AdminOwnExportsController],
  providers: [
    {
      provide: OwnExportFiles,
      useFactory: (objects: ObjectStore) => new OwnExportFiles(objects instanceof NoObjectStore ? null : objects),
      inject: [ObjectStore],
    },
    OwnDataArchive,
    WritingOwnExports,
    OwnExports,
    FetchedOwnExports,
    EndOwnExportsWhenTheyExpire,
  ],
};
