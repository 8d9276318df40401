import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { missing, s3 } from '@parlance/testing';
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
    const { region, endpoint, accessKeyId, secretAccessKey } = server;
    const client = new S3Client({ region, endpoint, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'knowledge' }));
    client.destroy();
    const storageOptions = storageOptionsOf({ region, endpoint, accessKeyId, secretAccessKey, forcePathStyle: true });
    const indexes = await openLanceIndexes({ uri: 's3://knowledge/indexes', storageOptions });
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
