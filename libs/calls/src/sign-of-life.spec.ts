import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
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
