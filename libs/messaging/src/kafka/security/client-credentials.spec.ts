import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientCredentials } from './client-credentials.ts';

describe('tokens of the client credentials grant', () => {
  let server: Server;
  let answers: object[];
  let requests: { readonly body: string; readonly authorization: string | undefined }[];
  let now: number;
  let token: () => Promise<{ value: string }>;

  beforeEach(async () => {
    [requests, now] = [[], 1_000_000];
    answers = [
      { access_token: 'one', expires_in: 100 },
      { access_token: 'two', expires_in: 100 },
    ];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        requests.push({ body, authorization: request.headers.authorization });
        const answer = answers.shift();
        response.writeHead(answer ? 200 : 503).end(answer ? JSON.stringify(answer) : 'secret');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
    token = clientCredentials({ tokenUrl, clientId: 'a:b', clientSecret: 'c d', scope: 'kafka' }, () => now);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('are requested with the client’s ID, secret and scope', async () => {
    await token();
    expect(requests).toEqual([
      { body: 'grant_type=client_credentials&scope=kafka', authorization: `Basic ${Buffer.from('a%3Ab:c%20d').toString('base64')}` },
    ]);
  });
  it('are shared by connections until most of their lifetime is over', async () => {
    expect(await Promise.all([token(), token()])).toEqual([{ value: 'one' }, { value: 'one' }]);
    now += 79_999;
    expect(await token()).toEqual({ value: 'one' });
    now += 1;
    expect(await token()).toEqual({ value: 'two' });
  });
  it('are requested each time if their lifetime is not known', async () => {
    answers = [{ access_token: 'one' }, { access_token: 'two' }];
    expect([await token(), await token()]).toEqual([{ value: 'one' }, { value: 'two' }]);
  });
  it('are requested again after an error, which does not contain the response', async () => {
    answers = [];
    await expect(token()).rejects.toThrow(/^the token endpoint of kafkaSecurity.tokenUrl answered 503 without a token$/);
    answers = [{ access_token: 'one', expires_in: 100 }];
    expect(await token()).toEqual({ value: 'one' });
  });
});
