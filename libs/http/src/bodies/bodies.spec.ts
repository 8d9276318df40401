import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';
import { HeldBytes } from '../answers/held-bytes.ts';
import { Bodies } from './bodies.ts';

class TextBody {
  @IsString() text!: string;
}

@Controller('texts')
class TextsController {
  @Open()
  @Post()
  open(@Body() { text }: TextBody) {
    return { length: text.length };
  }

  @Post('mine')
  mine(@Body() { text }: TextBody) {
    return { length: text.length };
  }
}

@Module({ controllers: [TextsController] })
class Texts {}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function texts(maxBuffered: number): Promise<{ app: NestFastifyApplication; bodies: Bodies }> {
  const app = await createHttpApplication(Texts, { statements: null, logger: false, maxBuffered });
  await app.listen(0, '127.0.0.1');
  ends.push(() => app.close());
  return { app, bodies: (app.getHttpAdapter().getInstance() as unknown as { bodies: Bodies }).bodies };
}

/** A connection on which a test writes the bytes of a request. */
async function talk(
  server: Server,
  head: string,
): Promise<{ socket: Socket; received: () => string; expectText: (text: string) => Promise<void> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  ends.push(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nHost: a\r\nContent-Type: application/json\r\n`);
  return {
    socket,
    received: () => received,
    expectText: async (text) => {
      while (!received.includes(text))
        await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => Promise.reject(new Error(received)))]);
    },
  };
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(setImmediate);
};

describe('the bodies that an application is receiving', () => {
  it('are refused past the limit of all their bytes, and accepted again once bytes are free', async () => {
    const { app, bodies } = await texts(64 * 1024);
    const server = app.getHttpServer() as Server;
    const slow = await talk(server, 'POST /texts HTTP/1.1');
    slow.socket.write(`Content-Length: 60000\r\n\r\n{"text":"${'x'.repeat(40_000)}`);
    await until(() => bodies.bytesHeld > 40_000);

    const refused = await talk(server, 'POST /texts HTTP/1.1');
    refused.socket.write(`Content-Length: 40011\r\n\r\n{"text":"${'x'.repeat(40_000)}"}`);
    await refused.expectText('"code":"busy"');
    expect(refused.received()).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.received()).toMatch(/^retry-after: 1\r$/m);

    slow.socket.destroy();
    await until(() => bodies.bytesHeld === 0);
    const taken = await talk(server, 'POST /texts HTTP/1.1');
    taken.socket.write(`Content-Length: 40011\r\n\r\n{"text":"${'x'.repeat(40_000)}"}`);
    await taken.expectText('{"length":40000}');
    await until(() => bodies.bytesHeld === 0);
  });

  it('take the same memory in chunks of one byte', async () => {
    const { app, bodies } = await texts(64 * 1024);
    const slow = await talk(app.getHttpServer() as Server, 'POST /texts HTTP/1.1');
    slow.socket.write(
      `Transfer-Encoding: chunked\r\n\r\n${[...'{"text":"', ...'x'.repeat(10_000)].map((byte) => `1\r\n${byte}\r\n`).join('')}`,
    );
    await until(() => bodies.bytesHeld > 10_000);
    expect(bodies.bytesHeld).toBeLessThan(20_000);
    slow.socket.write('2\r\n"}\r\n0\r\n\r\n');
    await slow.expectText('{"length":10000}');
  });

  it('are requested only when they are wanted', async () => {
    const { app } = await texts(64 * 1024);
    const server = app.getHttpServer() as Server;
    const wanted = await talk(server, 'POST /texts HTTP/1.1');
    wanted.socket.write('Expect: 100-continue\r\nContent-Length: 12\r\n\r\n');
    await wanted.expectText('HTTP/1.1 100 Continue\r\n\r\n');
    wanted.socket.write('{"text":"x"}');
    await wanted.expectText('{"length":1}');
    expect(wanted.received()).toMatch(/^connection: keep-alive\r$/im);

    const unwanted = await talk(server, 'POST /texts/mine HTTP/1.1');
    unwanted.socket.write('Expect: 100-continue\r\nContent-Length: 12\r\n\r\n');
    await unwanted.expectText('sign_in_required');
    expect(unwanted.received()).toMatch(/^HTTP\/1\.1 401 /);
    // The server cannot know whether the client sends its body anyway.
    expect(unwanted.received()).toMatch(/^connection: close\r$/im);
  });
});

describe('the bodies of one client', () => {
  async function peeking(bodies: Bodies, clientOf: (req: IncomingMessage) => string): Promise<Server> {
    const server = createServer((req: IncomingMessage, res: ServerResponse) => {
      bodies
        .peek(req, res, { limit: 100_000, client: clientOf(req) })
        .then((bytes) => res.end(`took ${bytes.length}`))
        .catch((error: Error & { code?: string }) => res.end(error.code ?? error.name));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    return server;
  }

  it('may take half of the memory, so that some is left for the others', async () => {
    const bodies = new Bodies(new HeldBytes(100_000));
    const server = await peeking(bodies, (req) => String(req.headers['x-client']));
    const greedy = await talk(server, 'POST / HTTP/1.1\r\nX-Client: ann');
    greedy.socket.write(`Content-Length: 90000\r\n\r\n${'x'.repeat(80_000)}`);
    await greedy.expectText('busy');
    const [mine, another] = [
      await talk(server, 'POST / HTTP/1.1\r\nX-Client: ann'),
      await talk(server, 'POST / HTTP/1.1\r\nX-Client: ben'),
    ];
    mine.socket.write(`Content-Length: 40000\r\n\r\n${'x'.repeat(30_000)}`);
    await until(() => bodies.bytesHeld >= 30_000);
    another.socket.write(`Content-Length: 30000\r\n\r\n${'x'.repeat(30_000)}`);
    await another.expectText('took 30000');
    mine.socket.destroy();
    await until(() => bodies.bytesHeld === 0);
  });

  it('are not read if their Content-Length is too large, and otherwise only up to the limit', async () => {
    const bodies = new Bodies(new HeldBytes(1_000_000));
    const server = await peeking(bodies, () => 'ann');
    const ann = await talk(server, 'POST / HTTP/1.1');
    ann.socket.write('Content-Length: 100001\r\n\r\n');
    await ann.expectText('body_too_large');
    const unsaid = await talk(server, 'POST / HTTP/1.1');
    unsaid.socket.write(`Transfer-Encoding: chunked\r\n\r\n186A1\r\n${'x'.repeat(100_001)}\r\n`);
    await unsaid.expectText('body_too_large');
    await until(() => bodies.bytesHeld === 0);
  });
});
