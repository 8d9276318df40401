import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNKING } from '../../test/documents-to-read.ts';
import type { Order, Report } from './messages.ts';
import { startReading } from './start.ts';

describe('a process that reads documents', () => {
  let data: string;
  let own: string;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'parlance-data-'));
    own = join(data, 'scratch', 'documents-1');
    await mkdir(own, { recursive: true });
    await Promise.all([join(data, 'master.key'), join(own, 'input')].map((file) => writeFile(file, 'canary-7f3')));
  });
  afterAll(() => rm(data, { recursive: true }));

  /** The process's report when it tries to open this file from inside. */
  async function opening(path: string, drawsPages: boolean): Promise<Report> {
    const child = startReading({ directory: own, memoryMebibytes: 512, drawsPages }, 400_000_000);
    const next = () => new Promise<Report>((resolve) => child.once('message', resolve));
    const answerTo = (order: Order) => {
      const reported = next();
      child.send(order);
      return reported;
    };
    try {
      await next();
      const file = { path, name: 'a.txt', contentType: null, sourceId: 'a' };
      const report = await answerTo({ type: 'read', file, chunking: CHUNKING, embeds: false, readsPages: false });
      return report.type === 'size' ? await answerTo({ type: 'go' }) : report;
    } finally {
      child.kill('SIGKILL');
    }
  }

  it.each([false, true])('can read the files of its own folder (native code: %s)', async (drawsPages) => {
    expect(await opening(join(own, 'input'), drawsPages)).toMatchObject({ type: 'done', chunks: [{ text: 'canary-7f3' }] });
  });
  it.each(['master.key', 'scratch/documents-1/../../master.key', '.'])('cannot read %s of the data directory', async (name) => {
    expect(await opening(`${data}/${name}`, false)).toMatchObject({ type: 'failed', message: 'ERR_ACCESS_DENIED' });
  });
  it.each(['/etc/passwd', '/proc/self/environ', `/proc/${process.pid}/environ`])('cannot read %s', async (path) => {
    expect(await opening(path, false)).toMatchObject({ type: 'failed', message: 'ERR_ACCESS_DENIED' });
  });
});
