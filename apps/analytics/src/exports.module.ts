import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Host, NoObjectStore } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { SqlEngine } from './adapters/exports/engine.ts';
import { ExportCopies } from './adapters/exports/export-copies.ts';
import { ExportFiles } from './adapters/exports/export-files.ts';
import { openCopiesDirectory } from './adapters/exports/copies-directory.ts';

const DIRECTORY = Symbol('the directory of copies');

/** Opens the adapters of the exports. */
@Module({})
export class ExportsModule {
  static of({ config, directory, shutdown }: Host): DynamicModule {
    return {
      module: ExportsModule,
      providers: [
        {
          provide: DIRECTORY,
          useFactory: async () => {
            const opened = await openCopiesDirectory(directory?.file('export-copies') ?? join(tmpdir(), 'parlance-export-copies'));
            shutdown.stop('stores', 'analytics: copies of exports', () => opened.close());
            return opened.path;
          },
        },
        {
          provide: ExportFiles,
          useFactory: (objects: ObjectStore) => new ExportFiles(objects instanceof NoObjectStore ? null : objects),
          inject: [ObjectStore],
        },
        {
          provide: ExportCopies,
          useFactory: (path: string, files: ExportFiles) => new ExportCopies(path, files, config.exportCopiesMebibytes),
          inject: [DIRECTORY, ExportFiles],
        },
        {
          provide: SqlEngine,
          useFactory: (path: string) => {
            const { exportQuerySeconds, exportQueryMebibytes } = config;
            const queries = { timeoutMillis: exportQuerySeconds * 1_000, memoryMebibytes: exportQueryMebibytes };
            const engine = new SqlEngine({ directory: path, queries });
            shutdown.stop('consumers', 'analytics: SQL engine', () => engine.close());
            return engine;
          },
          inject: [DIRECTORY],
        },
      ],
      exports: [ExportFiles, ExportCopies, SqlEngine],
    };
  }
}
