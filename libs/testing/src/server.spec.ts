import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';
import { givenServer, placeFor, type Server, type ServerPlan, startServer } from './server.ts';

const plan = (program: string, ready: ServerPlan['ready'] = async () => undefined): ServerPlan => ({
  name: 'The server',
  command: process.execPath,
  args: ['--eval', program],
  ready,
});

describe('starting a server', () => {
  it('waits until the server is ready, and can restart it on the same files', async () => {
    const port = await freePort();
    const where = await placeFor('echo', {});
    const program = `require('node:http').createServer((_, response) => response.end(String(process.pid))).listen(${port})`;
    const ask = (): Promise<string> => fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    const server = await startServer(
      plan(program, () => ask().then(() => undefined)),
      where,
    );
    const first = await ask();
    expect(first).toBe(String(server.pid));
    await server.kill();
    await expect(ask()).rejects.toThrow();
    await server.restart();
    expect(await ask()).toBe(String(server.pid));
    expect(await ask()).not.toBe(first);
    await server.stop();
    expect(existsSync(where.directory)).toBe(false);
  });

  it('reports the last output of a server that dies, and leaves nothing behind', async () => {
    const where = await placeFor('dying', {});
    const starting = startServer(
      plan(`console.error('port taken'); process.exit(3)`, () => Promise.reject(new Error('no'))),
      where,
    );
    await expect(starting).rejects.toThrow('The server ended with 3 before it was ready:\nport taken');
    expect(existsSync(where.directory)).toBe(false);
  });

  it('reports the end of a server that ended by itself, and can start it again', async () => {
    const lost: [Server, number | NodeJS.Signals][] = [];
    const first = Promise.withResolvers<void>();
    const onLost: ServerPlan['onLost'] = (...end) => first.resolve(void lost.push(end));
    const server = await startServer({ ...plan('setInterval(() => undefined, 1_000_000)'), onLost }, await placeFor('lost', {}));
    process.kill(server.pid!, 'SIGKILL');
    await first.promise;
    await server.restart();
    await server.kill();
    await server.stop();
    expect(lost).toEqual([[server, 'SIGKILL']]);
  });

  it('reports a missing program', async () => {
    const where = await placeFor('absent', {});
    const starting = startServer({ ...plan(''), command: 'no-such-program', ready: () => Promise.reject(new Error('no')) }, where);
    await expect(starting).rejects.toThrow('The server could not be started: spawn no-such-program ENOENT');
  });
});

describe('a place', () => {
  it('is temporary unless a directory is given', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parlance-place-'));
    expect(await placeFor('x', { directory })).toEqual({ directory, temporary: false });
    await rmdir(directory);
  });
});

describe('a server that the environment provides', () => {
  it('refuses to be killed', () =>
    expect(givenServer('Kafka', async () => undefined).kill()).rejects.toThrow(/was given by the environment/));
});
