import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bucketIn, missing, s3 } from '@parlance/testing';
import { knowledgeIndexesContract } from '../test/contract.ts';
import { loadLance } from './lance/native.ts';
import { openLanceIndexes, storageOptionsOf } from './lance.ts';
import { AdapterUnavailable } from './index.ts';

knowledgeIndexesContract('LanceDB in a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'retrieval-'));
  const indexes = await openLanceIndexes({ uri: directory });
  return {
    indexes,
    async remove() {
      await indexes.close();
      await rm(directory, { recursive: true });
    },
  };
});

const describeS3 = missing('s3') ? describe.skip : describe;

describeS3('with object storage', () => {
  knowledgeIndexesContract('LanceDB on S3', async () => {
    const server = await s3();
    const { type: _, bucket, ...options } = await bucketIn(server, 'knowledge');
    const indexes = await openLanceIndexes({ uri: `s3://${bucket}/indexes`, storageOptions: storageOptionsOf(options) });
    return {
      indexes,
      async remove() {
        await indexes.close();
        await server.stop();
      },
    };
  });
});

describe('LanceDB on a platform without its native part', () => {
  it('names the package to install', async () => {
    const opening = loadLance(() => Promise.reject(new Error('Cannot find native binding')));
    await expect(opening).rejects.toThrow(AdapterUnavailable);
    await expect(opening).rejects.toThrow(`npm install @lancedb/lancedb-${process.platform}-${process.arch}`);
  });
});
