import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '@parlance/foundation';
import { DataDirectory } from '@parlance/installation';
import { ShutdownPlan } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import { listenToOperator } from './operator-server.ts';
import { OPERATOR_SOCKET } from './operator-socket.ts';

/** An order for a backup that is refused before anything is written, because the master key is not in a file. */
const REFUSED_BACKUP = JSON.stringify({ directory: '/nowhere', withMasterKey: true });
const posting = (body: string, path = '/', length = Buffer.byteLength(body)) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;

const closed = (socket: Socket) => new Promise((resolve) => void socket.once('close', resolve));

describe('the socket of the operator', () => {
  const logged: unknown[] = [];
  const umask = process.umask();
  let dataDir: string;
  let directory: DataDirectory;
  let shutdown: ShutdownPlan;
  const open: Socket[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'operator-'));
    process.umask(0);
    directory = DataDirectory.take(dataDir);
    shutdown = new ShutdownPlan({ graceSeconds: 20, warn: (message) => void logged.push(message) });
    const log = { warn: (...entry: unknown[]) => void logged.push(entry), error: (...entry: unknown[]) => void logged.push(entry) };
    const host = { config: { dataDir, masterKey: 'key' }, logging: { for: () => log }, shutdown, directory, master: {} };
    await listenToOperator(host as unknown as Host, new Map());
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    process.umask(umask);
    directory.release();
    await rm(dataDir, { recursive: true });
  });

  const path = () => join(dataDir, OPERATOR_SOCKET);
  const connected = (): Socket => {
    const socket = connect(path()).on('error', () => {});
    open.push(socket);
    return socket;
  };
  /** The answer to this text. */
  const answerTo = async (text: string): Promise<string> => {
    const socket = connected();
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.write(text);
    await closed(socket);
    return answer;
  };
  const isListening = async () => expect(await answerTo(posting(REFUSED_BACKUP))).toContain('the master key is not in a file');

  it('is accessible only to the user of the data directory, whatever the umask of the process is', async () => {
    expect((await stat(path())).mode & 0o077).toBe(0);
  });

  it('answers a GET request', async () => expect(await answerTo('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toContain('{"lines":[]}'));

  it.each([
    ['no JSON', posting('{"directory"')],
    ['no object', posting('null')],
    ['a list', posting('[]')],
    ['no folder', posting('{"withMasterKey":true}')],
    ['a folder that is a number', posting('{"directory":5,"withMasterKey":true}')],
    ['an empty folder', posting('{"directory":"","withMasterKey":true}')],
    ['no field for the key', posting('{"directory":"/nowhere"}')],
    ['a service that is an object', posting('{"service":{}}', '/rebuilds')],
    ['a read model that is a list', posting('{"projection":["bots"]}', '/rebuilds')],
    ['another path', posting(REFUSED_BACKUP, '/other')],
    ['another method', posting(REFUSED_BACKUP).replace('POST', 'PUT')],
  ])('refuses %s with a message, and runs nothing', async (_, text) => {
    expect(await answerTo(text)).toMatch(/"refused":"the running product does not know this command/);
    await isListening();
  });

  it.each([
    ['speaks no HTTP', '\0\0\0'],
    ['ends in the middle of a line', 'GET'],
    ['has a path of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`],
    ['has a header of 1 MB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(1_000_000)}`],
    ['has a body of 100 KB', posting(`{"directory":"${'x'.repeat(100_000)}","withMasterKey":true}`)],
    ['says that it has a body of 1 TB', posting('x'.repeat(100_000), '/', 2 ** 40)],
  ])('closes a connection that %s', async (_, text) => {
    const socket = connected();
    socket.end(text);
    socket.resume();
    await closed(socket);
    await isListening();
  });

  it('runs the order of another client while one client has sent half of its order', async () => {
    const half = connected();
    half.write(posting(REFUSED_BACKUP.slice(0, 10), '/', 1_000));
    await once(half, 'connect');
    await isListening();
    half.destroy();
    await isListening();
  });

  it('limits the number of connections, and accepts new ones when others have ended', async () => {
    const many = Array.from({ length: 200 }, connected);
    await waitFor(() => many.filter(({ destroyed }) => destroyed).length >= 150, { what: 'the refused connections' });
    for (const socket of many) socket.destroy();
    await waitFor(async () => (await answerTo(posting(REFUSED_BACKUP))).includes('the master key'), { what: 'a free connection' });
  });

  it('does not log refused orders', () => expect(logged).toEqual([]));

  it('does not wait for incomplete requests when it is closed', async () => {
    const half = connected();
    half.write(posting('{', '/', 1_000));
    await once(half, 'connect');
    await isListening();
    expect(await shutdown.run()).toEqual({ hung: [], failed: [] });
  });
});
