import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Leaving, LEAVING_HEADER } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import { Pool } from 'undici';
import { SignOfLife } from './sign-of-life.ts';

it('asks a replica once for many streams that wait for it at about the same time', async () => {
  let questions = 0;
  const server = createServer((_, response) => void (questions++, response.end('{}'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(address);
  const life = new SignOfLife(address, pool);
  expect(await Promise.all([life.isThere(), life.isThere()])).toEqual([true, true]);
  expect([await life.isThere(), questions]).toEqual([true, 1]);
  await pool.destroy();
  server.close();
});

it('learns that a replica is about to end, and later that its successor at the same address is not', async () => {
  let isLeaving = true;
  const server = createServer((_, response) => {
    if (isLeaving) response.setHeader(LEAVING_HEADER, 'soon' satisfies Leaving);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(address);
  try {
    const life = new SignOfLife(address, pool);
    expect([await life.isThere(), life.isLeaving]).toEqual([true, true]);
    isLeaving = false;
    await waitFor(async () => (await life.isThere(), !life.isLeaving), { what: 'an answer of the successor' });
  } finally {
    await pool.destroy();
    server.close();
  }
});

it('logs once that a replica does not respond, and that it responds again', async () => {
  let isFrozen = true;
  const server = createServer((_, response) => void (isFrozen || response.end('{}'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(address);
  const logged: unknown[] = [];
  const spies = (['warn', 'log'] as const).map((level) =>
    jest.spyOn(Logger.prototype, level).mockImplementation((message) => void logged.push(message)),
  );
  try {
    const life = new SignOfLife(address, pool);
    expect([await life.isThere(), await life.isThere()]).toEqual([false, false]);
    isFrozen = false;
    await waitFor(() => life.isThere(), { what: 'the replica to respond' });
    expect(logged).toEqual([
      `The replica at ${address} does not respond within 700 ms, so it gets no requests until it does.`,
      `The replica at ${address} responds again.`,
    ]);
  } finally {
    for (const spy of spies) spy.mockRestore();
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  }
});

it('repeats its question to a replica that does not respond, until its address is no longer used', async () => {
  const address = 'http://127.0.0.1:9';
  const pool = new Pool(address);
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  try {
    const life = new SignOfLife(address, pool);
    expect(await life.isThere()).toBe(false);
    const asked = jest.spyOn(life, 'isThere');
    jest.advanceTimersByTime(1_000);
    expect(asked).toHaveBeenCalledTimes(1);
    await asked.mock.results[0]!.value;
    await new Promise(setImmediate);
    // The pool is destroyed only after its last answer, which may take hours.
    const closed = pool.close();
    expect([pool.closed, pool.destroyed]).toEqual([true, false]);
    jest.advanceTimersByTime(10_000);
    expect(asked).toHaveBeenCalledTimes(1);
    await closed;
  } finally {
    warn.mockRestore();
    jest.useRealTimers();
    await pool.destroy();
  }
});
