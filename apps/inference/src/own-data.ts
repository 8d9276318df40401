import { handlersOf, NoObjectStore } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { OwnExportFiles } from './adapters/own-data/own-export-files.ts';
import { ExecuteOwnExport } from './commands/aggregates.ts';
import { FetchedOwnExports } from './http/own-data/own-export-answers.ts';
import { AdminOwnExportsController, OwnExportsController } from './http/own-data/own-exports.controller.ts';
import { EndOwnExportsWhenTheyExpire } from './policies/end-own-exports-when-they-expire.ts';
import { ConversationsToExport, MessagesToExportOf } from './projections/own-data/conversations-to-export.ts';
import { ErasedOwnExportsOf, LastOwnExport, NextOwnExport, OwnExportOf, OwnExportsExpiredAt } from './projections/own-data/own-exports.ts';
import { OwnDataArchive } from './workflows/own-data/own-data-archive.ts';
import { OwnExports } from './workflows/own-data/own-exports.ts';
import { WritingOwnExports } from './workflows/own-data/writing-own-exports.ts';

/** The parts of the module that export users' own data. */
export const ownData = {
  controllers: [OwnExportsController, AdminOwnExportsController],
  providers: [
    ...handlersOf(
      ExecuteOwnExport,
      OwnExportOf,
      LastOwnExport,
      NextOwnExport,
      OwnExportsExpiredAt,
      ErasedOwnExportsOf,
      ConversationsToExport,
      MessagesToExportOf,
    ),
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
