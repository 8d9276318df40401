import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Parlance } from '../src/index.ts';
import { json, type ScriptedServer, scriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
let client: Parlance;
beforeEach(async () => {
  server = await scriptedServer();
  client = new Parlance({ baseUrl: server.url, accessToken: 'token' });
});
afterEach(() => server.stop());

/** Answers each request with the next of these states, and further requests with the last one. */
const states = (...bodies: object[]) => {
  server.script = ({ method }, answer, requestNumber) =>
    method === 'POST' ? json(answer, 202, {}) : json(answer, 200, bodies[Math.min(requestNumber, bodies.length) - 1]);
};

describe('waiting for the knowledge of a bot', () => {
  it('ends when the knowledge was read', async () => {
    states({ sync_status: 'QUEUED' }, { sync_status: 'RUNNING' }, { sync_status: 'SUCCEEDED', reason: '' });
    expect(await client.bots.synced('b')).toMatchObject({ sync_status: 'SUCCEEDED' });
    expect(server.received).toHaveLength(3);
  });
  it('fails with the reason', async () => {
    states({ sync_status: 'FAILED', reason: 'The file is empty.' });
    await expect(client.bots.synced('b')).rejects.toMatchObject({ code: 'sync_failed', message: 'The file is empty.' });
  });
});

describe('publishing a bot', () => {
  it('ends when the endpoint answers', async () => {
    states({}, { codebuild_status: 'IN_PROGRESS' }, { codebuild_status: 'SUCCEEDED', endpoint: 'https://x' });
    expect(await client.bots.publish('b', { allowed_origins: [] })).toMatchObject({ endpoint: 'https://x' });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });
  it.each([
    ['The stage is taken.', 'The stage is taken.'],
    ['', 'The deployment has failed.'],
  ])('fails with the reason, if there is one: %j', async (codebuild_status_reason, message) => {
    states({}, { codebuild_status: 'FAILED', codebuild_status_reason });
    await expect(client.bots.publish('b', { allowed_origins: [] })).rejects.toMatchObject({ code: 'deployment_failed', message });
  });
});
