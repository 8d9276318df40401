import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { loadConfig } from '@parlance/config';
import { ObjectStore } from '@parlance/object-store';
import { DataDirectory } from '@parlance/installation';
import { loadMasterKey } from '@parlance/privacy';
import { type Host, openHost } from '../process/host.ts';
import { startService } from '../process/service.ts';
import { FoundationModule } from './foundation.module.ts';
import { NoObjectStore, type Objects, openObjects } from './object-store.module.ts';

const s3 = {
  type: 's3',
  endpoint: 'http://s3.internal:7070',
  publicEndpoint: 'https://files.example.org',
  region: 'eu-central-1',
  bucket: 'parlance',
  accessKeyId: 'AKIA1',
  secretAccessKey: 'secret',
  forcePathStyle: true,
};
const grant = () => ({ contentType: 'text/plain', issuedTo: null, expiresAt: new Date(Date.now() + 60_000), maxBytes: 9 });

describe('the object store of a process', () => {
  let parent: string;
  let directory: DataDirectory;
  let opened: Objects | undefined;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'parlance-wiring-'));
    directory = DataDirectory.take(join(parent, 'data'));
  });
  afterEach(async () => {
    await opened?.close();
    directory.release();
    await rm(parent, { recursive: true });
  });

  const master = loadMasterKey({ value: Buffer.alloc(32, 1).toString('base64') });
  const open = async (settings: Record<string, string>, filesIn: DataDirectory | null = directory) => {
    const env = { PARLANCE_DATA_DIR: directory.path, PARLANCE_PUBLIC_BASE_URL: 'https://chat.example.org/', ...settings };
    opened = await openObjects(loadConfig({ argv: [], env, cwd: parent }), filesIn, master);
    return opened;
  };

  it('is in the data directory of the single process, with addresses below publicBaseUrl', async () => {
    const objects = await open({});
    const store = await objects.store();
    expect(await objects.store()).toBe(store);
    await store.put('a', Buffer.from('x'), { contentType: 'text/plain' });
    expect(await readdir(join(directory.path, 'objects'))).toContain('a@');
    expect((await store.signedUpload('a', grant())).url).toMatch(/^https:\/\/chat\.example\.org\/files\/a\?expires=/);
    expect(objects.door).not.toBeNull();
  });

  it('is S3 if that is configured, with addresses below publicEndpoint', async () => {
    const objects = await open({ PARLANCE_OBJECT_STORE: JSON.stringify(s3) });
    expect((await (await objects.store()).signedUpload('a', grant())).url).toMatch(/^https:\/\/files\.example\.org\/parlance\/a\?X-Amz-/);
    expect(objects.door).toBeNull();
    expect(await readdir(directory.path)).not.toContain('objects');
  });

  it.each<[string, Record<string, string>]>([
    ['MongoDB', { PARLANCE_MONGO_URI: 'mongodb://localhost' }],
    ['services in separate processes', { PARLANCE_SERVICES: '{"bots":"http://localhost:1"}' }],
  ])('refuses every use with %s and no objectStore', async (_, settings) => {
    const objects = await open(settings);
    const store = await objects.store();
    expect(store).toBeInstanceOf(NoObjectStore);
    const refusal = { kind: 'unavailable', code: 'object_store_not_configured', message: expect.stringContaining('objectStore') };
    await expect(store.signedUpload('a', grant())).rejects.toMatchObject(refusal);
    await expect(store.list('a', { limit: 1 })).rejects.toMatchObject(refusal);
    expect(objects.door).toBeNull();
    expect(await readdir(directory.path)).not.toContain('objects');
  });

  it('removes no file while removals are held', async () => {
    const objects = await open({});
    const store = await objects.store();
    await store.put('a', Buffer.from('x'), { contentType: 'text/plain' });
    const release = directory.removals.hold();
    const removal = store.remove('a');
    expect(await store.stat('a')).not.toBeNull();
    release();
    await removal;
    expect(await store.stat('a')).toBeNull();
  });
});

@Module({})
class Empty {}

describe('a service', () => {
  it.each([true, false])('can inject the object store only if it stores files: %s', async (storesFiles) => {
    const directory = await mkdtemp(join(tmpdir(), 'parlance-wiring-'));
    const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
    const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
    try {
      const parts = { name: 'bots', projections: [], publish: () => [], storesFiles };
      const module = async (its: Host) => ({ module: Empty, imports: [await FoundationModule.of(its, parts)] });
      const { app } = await startService({ name: 'bots', module, handlers: () => [] }, host);
      if (storesFiles) expect(app.get(ObjectStore)).toBe(await host.objects.store());
      else expect(() => app.get(ObjectStore)).toThrow();
    } finally {
      await host.shutdown.run();
      await rm(directory, { recursive: true });
    }
  });
});
