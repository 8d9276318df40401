import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('a free port', () => {
  it('can be listened on', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('is below the source ports of outgoing connections', async () => expect(await freePort()).toBeLessThan(32_768));
});
