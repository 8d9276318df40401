import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';

class Named {
  @IsString() name!: string;
}

@Controller()
@Open()
class Names {
  @Get('name')
  read() {
    return { name: 'ann' };
  }

  @Post('name')
  @HttpCode(200)
  say(@Body() { name }: Named) {
    return { name };
  }
}

@Module({ controllers: [Names] })
class NamesModule {}

const headersOf = () => ({ 'referrer-policy': 'no-referrer' });
const app = await createHttpApplication(NamesModule, { statements: null, logger: false, headersOf });
await app.listen(0, '127.0.0.1');
afterAll(() => app.close());

/** Sends these bytes and returns everything that the server sends until it closes the connection. */
async function talk(head: readonly string[], body: string | Buffer = ''): Promise<string> {
  const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return text(socket);
}

function isProblem(answer: string, status: number, code: string): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toContain(`"code":"${code}"`);
  expect(answer).toContain('content-type: application/problem+json; charset=utf-8\r\n');
  expect(answer).toContain('referrer-policy: no-referrer\r\n');
  expect(answer).toContain('x-content-type-options: nosniff\r\n');
}

const close = 'Connection: close';

describe('a request', () => {
  it('that names two hosts is refused', async () => {
    for (const second of ['b', 'a']) {
      isProblem(await talk(['GET /name HTTP/1.1', 'Host: a', `host: ${second}`, close]), 400, 'malformed_request');
    }
  });
  it('that names no host is refused with a problem', async () =>
    isProblem(await talk(['GET /name HTTP/1.1', close]), 400, 'malformed_request'));
  it('needs no host in HTTP/1.0', async () => expect(await talk(['GET /name HTTP/1.0'])).toContain('{"name":"ann"}'));

  const posting = ['POST /name HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 14'];
  it('with an unknown expectation is refused, and its connection closed', async () =>
    isProblem(await talk([...posting, 'Expect: 200-maybe'], '{"name":"ann"}'), 417, 'expectation_failed'));
  it('may wait for 100 Continue', async () =>
    expect(await talk([...posting, 'Expect: 100-continue', close], '{"name":"ann"}')).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    ));
});

describe('a body', () => {
  const json = Buffer.from('{"name":"ann"}');
  const send = (type: string, body: Buffer, ...more: string[]) =>
    talk(['POST /name HTTP/1.1', 'Host: a', `Content-Type: ${type}`, `Content-Length: ${body.length}`, ...more, close], body);

  it.each([
    ['gzip', gzipSync(json)],
    ['gzip', json],
    ['identity, gzip', json],
    ['aws-chunked', json],
  ])('encoded with %s is refused as an unsupported type', async (encoding, body) => {
    const answer = await send('application/json', body, `Content-Encoding: ${encoding}`);
    isProblem(answer, 415, 'unsupported_media_type');
    expect(answer).toContain('accept-encoding: identity\r\n');
  });
  it('may declare that it is not encoded', async () =>
    expect(await send('application/json', json, 'Content-Encoding: Identity')).toContain('{"name":"ann"}'));

  it.each(['charset=iso-8859-1', 'charset="utf-16"', 'charset=utf-8; charset=utf-16', 'v=1;CHARSET = latin1', 'charset='])(
    'with %s is refused as an unsupported type',
    async (parameters) => isProblem(await send(`application/json; ${parameters}`, json), 415, 'unsupported_media_type'),
  );
  it.each(['charset=utf-8', 'Charset="UTF-8"', 'charset=utf8', 'v=1', ''])('may have %s', async (parameters) =>
    expect(await send(`application/json; ${parameters}`, json)).toContain('{"name":"ann"}'),
  );
  it('that is absent may have any encoding', async () =>
    expect(await talk(['GET /name HTTP/1.1', 'Host: a', 'Content-Encoding: gzip', close])).toMatch(/^HTTP\/1\.1 200 /));
});
