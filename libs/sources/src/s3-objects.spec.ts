import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { missing, s3 } from '@parlance/testing';
import { S3Sources, type S3SourcesOptions } from './s3-objects.ts';

const describeS3 = missing('s3') ? describe.skip : describe;
const signal = new AbortController().signal;

describe('S3 addresses', () => {
  const sources = new S3Sources({ region: 'us-east-1', readable: ['open', 'part/docs'] });
  it.each(['s3://open/', 's3://open/a/b', 's3://open', 's3://part/docs/', 's3://part/docs/a'])('%s is allowed', (url) => {
    expect(sources.objects(url).url).toBe(url);
  });
  it.each(['s3://other/', 's3://part/', 's3://part/docs', 's3://part/docs-private/', 's3://open-not/'])(
    '%s is refused before a request',
    (url) => {
      expect(() => sources.objects(url)).toThrow(expect.objectContaining({ code: 'bucket_forbidden' }));
    },
  );
  it.each(['https://open/', 's3://', 's3://Open/', 's3:///a', ''])('%j is invalid', (url) => {
    expect(() => sources.objects(url)).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  });
});

describe('a store that does not answer', () => {
  it.each<[string, RequestListener]>([
    ['at all', () => undefined],
    ['completely', (_, response) => void response.writeHead(200, { 'content-type': 'application/xml' }).write('<ListBucketResult>')],
  ])('%s is unreachable after one wait', async (_, answer) => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const access = { accessKeyId: 'a', secretAccessKey: 'b', forcePathStyle: true };
    const sources = new S3Sources({ region: 'eu', endpoint, ...access, readable: ['docs'] });
    const items = sources.objects('s3://docs/', { answerMillis: 500 }).items(signal);
    await expect(items.next()).rejects.toMatchObject({ code: 'unreachable' });
    expect(requests).toBe(1);
    sources.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describeS3('objects of a bucket', () => {
  let server: Awaited<ReturnType<typeof s3>>;
  let sources: S3Sources;
  beforeAll(async () => {
    server = await s3();
    const { region, endpoint, accessKeyId, secretAccessKey } = server;
    const options: S3SourcesOptions = {
      region,
      endpoint,
      accessKeyId,
      secretAccessKey,
      forcePathStyle: true,
      readable: ['docs', 'absent'],
    };
    sources = new S3Sources(options);
    const client = new S3Client({ region, endpoint, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'docs' }));
    for (const Key of ['a/', 'a/1.txt', 'a/b/2.txt', 'c/3.txt']) {
      await client.send(
        new PutObjectCommand({ Bucket: 'docs', Key, Body: Key.endsWith('/') ? '' : `text of ${Key}`, ContentType: 'text/plain' }),
      );
    }
    client.destroy();
  });
  afterAll(async () => {
    sources.close();
    await server.stop();
  });

  it('are listed below the prefix, read, and recognised by their ETag', async () => {
    const reader = sources.objects('s3://docs/a/');
    const found: string[][] = [];
    for await (const item of reader.items(signal)) {
      const opened = await item.open();
      if (opened.status !== 'changed') throw new Error(opened.status);
      const chunks: Buffer[] = [];
      for await (const chunk of opened.body as AsyncIterable<Buffer>) chunks.push(chunk);
      expect(opened.fingerprint).toEqual(item.listed);
      expect(await item.open(opened.fingerprint)).toMatchObject({ status: 'unchanged' });
      found.push([item.key, item.name, Buffer.concat(chunks).toString()]);
    }
    expect(found).toEqual([
      ['s3://docs/a/1.txt', '1.txt', 'text of a/1.txt'],
      ['s3://docs/a/b/2.txt', '2.txt', 'text of a/b/2.txt'],
    ]);
    expect([reader.found, reader.isComplete, reader.isCut]).toEqual([2, true, false]);
  });

  it('are bounded in count and size', async () => {
    const reader = sources.objects('s3://docs/', { maxObjects: 1, maxBytes: 3 });
    for await (const item of reader.items(signal)) await expect(item.open()).rejects.toMatchObject({ code: 'too_large' });
    expect([reader.found, reader.isCut]).toEqual([1, true]);
  });

  it('fail with a message if the bucket is absent, and with the reason of the signal', async () => {
    await expect(sources.objects('s3://absent/').items(signal).next()).rejects.toMatchObject({ code: 'not_found' });
    const reason = new Error('newer save');
    await expect(sources.objects('s3://docs/').items(AbortSignal.abort(reason)).next()).rejects.toBe(reason);
  });
});
