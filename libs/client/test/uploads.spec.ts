import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sendFile } from '../src/uploads.ts';
import { problem, type ScriptedServer, scriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await scriptedServer();
});
afterEach(() => server.stop());

const address = () => ({ url: `${server.url}/file`, method: 'PUT' as const, headers: { 'content-type': 'text/plain' }, expires_at: 0 });

describe('an upload', () => {
  it('is sent again after an outage, with the same content', async () => {
    server.script = (_, answer, requestNumber) => (requestNumber === 1 ? problem(answer, 503, 'busy') : answer.writeHead(200).end());
    await sendFile(address(), 'text');
    expect(server.received.map(({ body }) => body)).toEqual(['text', 'text']);
  });
  it("fails with the server's refusal", async () => {
    server.script = (_, answer) => problem(answer, 403, 'invalid_signature');
    await expect(sendFile(address(), 'text')).rejects.toMatchObject({ code: 'invalid_signature', status: 403 });
    expect(server.received).toHaveLength(1);
  });
  it('fails with the reason of its signal, even in the last attempt', async () => {
    const reader = new AbortController();
    server.script = () => reader.abort(new Error('cancelled'));
    await expect(sendFile(address(), 'text', { retries: { attempts: 1 } }, reader.signal)).rejects.toThrow('cancelled');
  });
  it('is not sent again after it was cancelled', async () => {
    const reader = new AbortController();
    server.script = () => reader.abort(new Error('cancelled'));
    await expect(sendFile(address(), 'text', {}, reader.signal)).rejects.toThrow('cancelled');
    expect(server.received).toHaveLength(1);
  });
});
