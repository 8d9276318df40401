import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { DocumentReader } from '@parlance/documents';
import type { Config } from '@parlance/config';
import { type Host, NoObjectStore, Scratch } from '@parlance/foundation';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { ObjectStore } from '@parlance/object-store';
import { ModelCalls } from '@parlance/observability';
import {
  type Embedder,
  KnowledgeIndexes,
  LazyIndexes,
  openEmbedder,
  openReranker,
  openRetrievers,
  SizedIndexes,
} from '@parlance/retrieval';
import { DrawingReader } from './adapters/drawing-reader.ts';
import { Embedding } from './adapters/embedding.ts';
import { FileStore } from './adapters/file-store.ts';
import { GuideFiles } from './adapters/guide-files.ts';
import { ImportedBases } from './adapters/imported-bases.ts';
import { KnowledgeItems } from './adapters/knowledge-items.ts';
import { INDEXES } from './adapters/named-indexes.ts';
import { ObjectLists } from './adapters/object-lists.ts';
import { calledEmbedding, ObservedEmbedder } from './adapters/observed-embedder.ts';
import { Reranking } from './adapters/reranking.ts';
import { SourceItems } from './adapters/source-items.ts';

const MIB = 1024 * 1024;

/** Chooses and opens the adapters that read, index and search knowledge. */
@Module({})
export class KnowledgeModule {
  static of(host: Host): DynamicModule {
    const { config, shutdown } = host;
    const log = host.logging.for('bots');
    /** Closes the part together with the stores, when no run and no request uses it any longer. */
    const closing = <Part extends { close(): Promise<void> }>(name: string, part: Part): Part => {
      shutdown.stop('stores', `bots: ${name}`, () => part.close());
      return part;
    };
    const exported = [
      KnowledgeIndexes,
      DocumentReader,
      DrawingReader,
      FileStore,
      GuideFiles,
      KnowledgeItems,
      ObjectLists,
      Embedding,
      Reranking,
      ImportedBases,
      Scratch,
    ];
    return {
      module: KnowledgeModule,
      providers: [
        { provide: KnowledgeIndexes, useFactory: async () => closing('indexes', await openIndexes(host)) },
        {
          provide: Scratch,
          useFactory: async () =>
            closing('scratch', await Scratch.open(host.directory?.file('scratch') ?? join(tmpdir(), 'parlance-scratch'))),
        },
        {
          provide: DocumentReader,
          useFactory: ({ directory }: Scratch) => closing('documents', new DocumentReader({ directory })),
          inject: [Scratch],
        },
        {
          provide: DrawingReader,
          useFactory: ({ directory }: Scratch) => closing('drawn documents', new DrawingReader({ directory })),
          inject: [Scratch],
        },
        {
          provide: FileStore,
          useFactory: (objects: ObjectStore) =>
            new FileStore(objects instanceof NoObjectStore ? null : objects, config.maxUploadMebibytes * MIB, host.objects.health),
          inject: [ObjectStore],
        },
        { provide: GuideFiles, useFactory: () => new GuideFiles() },
        {
          provide: GuardedFetch,
          useFactory: () => closing('fetch', new GuardedFetch({ allowedPrivateRanges: config.fetchAllowedPrivateRanges })),
        },
        { provide: ObjectLists, useFactory: () => closing('object lists', new ObjectLists(config.knowledgeS3)) },
        {
          provide: KnowledgeItems,
          useFactory: (files: FileStore, fetch: GuardedFetch, lists: ObjectLists) =>
            new SourceItems(files, fetch, lists, config.maxUploadMebibytes * MIB),
          inject: [FileStore, GuardedFetch, ObjectLists],
        },
        {
          provide: Embedding,
          useFactory: async (calls: ModelCalls) => closing('embedding', new Embedding(await observedEmbedder(config, calls), log)),
          inject: [ModelCalls],
        },
        { provide: Reranking, useFactory: async () => closing('reranking', new Reranking(await openReranker(config), log)) },
        { provide: ImportedBases, useFactory: () => closing('imported', new ImportedBases(openRetrievers(config), log)) },
      ],
      exports: exported,
    };
  }
}

/**
 * A single process keeps a file for each index, and a table for each of the largest. A cluster keeps tables in the object store, which all
 * replicas can search.
 */
async function openIndexes({ config, directory }: Host): Promise<KnowledgeIndexes> {
  const { objectStore } = config;
  if (objectStore) {
    const { bucket, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = objectStore;
    const open = async () => {
      const { openLanceIndexes, storageOptionsOf } = await import('@parlance/retrieval/lance');
      const storageOptions = storageOptionsOf({
        region,
        forcePathStyle,
        ...(endpoint !== null && { endpoint }),
        ...(accessKeyId !== null && secretAccessKey !== null && { accessKeyId, secretAccessKey }),
      });
      return openLanceIndexes({ uri: `s3://${bucket}/${INDEXES}`, storageOptions });
    };
    return new LazyIndexes({ open, exists: () => true });
  }
  const parent = directory?.knowledge ?? join(tmpdir(), 'parlance-knowledge');
  const uri = join(parent, 'tables');
  const { openSqliteIndexes } = await import('@parlance/retrieval/sqlite');
  const open = async () => (await import('@parlance/retrieval/lance')).openLanceIndexes({ uri });
  return new SizedIndexes({
    small: openSqliteIndexes({ directory: join(parent, 'files') }),
    large: new LazyIndexes({ open, exists: () => existsSync(uri) }),
    ...(directory && { removalAllowed: () => directory.removals.allowed() }),
  });
}

async function observedEmbedder(config: Config, calls: ModelCalls): Promise<Embedder | null> {
  const [embedder, called] = [await openEmbedder(config), calledEmbedding(config)];
  return embedder && called && calls.isObserved ? new ObservedEmbedder(embedder, called, calls) : embedder;
}
