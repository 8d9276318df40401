import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { DocumentReader } from '@parlance/documents';
import { type Host, NoObjectStore, Scratch } from '@parlance/foundation';
import { ObjectStore } from '@parlance/object-store';
import { Vault } from '@parlance/privacy';
import { FileReader } from './adapters/files/file-reader.ts';
import { MessageFiles } from './adapters/files/message-files.ts';
import { PromptMemory } from './workflows/files/prompt-memory.ts';

/** The time limit for reading an attachment, because its request ends soon after. */
export const READING_MILLIS = 10_000;

/** Opens the adapters of the files of messages. */
@Module({})
export class FilesModule {
  static of({ directory: data, objects: { health }, shutdown }: Host): DynamicModule {
    return {
      module: FilesModule,
      providers: [
        {
          provide: FileReader,
          useFactory: async () => {
            // A separate directory from that of the bots service: in single-process mode, both have the same process ID.
            const scratch = await Scratch.open(data?.file('reading') ?? join(tmpdir(), 'parlance-reading'));
            const documents = new DocumentReader({ directory: scratch.directory, timeoutMillis: READING_MILLIS });
            shutdown.stop('stores', 'inference: documents', async () => {
              await documents.close();
              await scratch.close();
            });
            return new FileReader(documents);
          },
        },
        {
          provide: MessageFiles,
          useFactory: (objects: ObjectStore, vault: Vault) =>
            new MessageFiles(objects instanceof NoObjectStore ? null : objects, vault, health),
          inject: [ObjectStore, Vault],
        },
        { provide: PromptMemory, useFactory: () => new PromptMemory() },
      ],
      exports: [FileReader, MessageFiles, PromptMemory],
    };
  }
}
