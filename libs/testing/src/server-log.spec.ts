import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { placeFor, startServer } from './server.ts';
import { takeForbiddenLines, unwatchLog, watchLog } from './server-log.ts';

describe('an error that no server may log', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-log-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is found once, while the server runs and after its end', async () => {
    const log = join(directory, 'server.log');
    await appendFile(log, '{"msg":"answered"}\n{"code":"ERR_HTTP_');
    watchLog(log);
    expect(takeForbiddenLines()).toEqual([]);
    await appendFile(log, 'HEADERS_SENT"}\n');
    expect(takeForbiddenLines()).toEqual(['{"code":"ERR_HTTP_HEADERS_SENT"}']);
    expect(takeForbiddenLines()).toEqual([]);
    await appendFile(log, 'again: ERR_HTTP_HEADERS_SENT\n');
    unwatchLog(log);
    await appendFile(log, 'ERR_HTTP_HEADERS_SENT of another process\n');
    expect(takeForbiddenLines()).toEqual(['again: ERR_HTTP_HEADERS_SENT']);
  });

  it('is found in the log of a server that was stopped and whose files are gone', async () => {
    const program = `console.log('ERR_HTTP_HEADERS_SENT'); console.log('done'); setInterval(() => undefined, 1_000)`;
    const { directory: own } = await placeFor('noisy', {});
    const ready = async () => {
      if (!(await readFile(join(own, 'server.log'), 'utf8')).includes('done')) throw new Error('not yet');
    };
    const plan = { name: 'The server', command: process.execPath, args: ['--eval', program], ready };
    const server = await startServer(plan, { directory: own, temporary: true });
    await server.stop();
    expect(takeForbiddenLines()).toEqual(['ERR_HTTP_HEADERS_SENT']);
  });
});
