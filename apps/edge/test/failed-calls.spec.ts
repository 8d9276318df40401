import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { RequestContext } from '@parlance/observability';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the log of the edge, %s,', (_shape, overHttp) => {
  let edge: EdgeUnderTest;
  let bots: ReturnType<typeof stub>;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    bots = stub('bots', { '/bot/{id}': { get: { operationId: 'read', security: [], responses: { 200: {} } } } });
    bots.get('/bot/:id', (_request, reply) => reply.code(500).send('no'));
    edge = await edgeWith({ bots }, { overHttp });
    const note = (message: string, fields?: object) => lines.push({ message, request: RequestContext.current()?.requestId, ...fields });
    Logger.overrideLogger({ warn: note, log() {}, error: note } as unknown as LoggerService);
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await edge.stop();
  });
  const ask = (id: string) => fetch(`${edge.url}/bot/7?secret=1`, { headers: { 'x-request-id': id } });

  it('names the service, the path and the cause of a failed call, under the ID of its request', async () => {
    if (overHttp) {
      expect((await ask('five-hundred')).status).toBe(500);
      expect(lines).toContainEqual(
        expect.objectContaining({
          request: 'five-hundred',
          target: 'bots',
          method: 'GET',
          path: '/bot/7',
          cause: 'FailedAnswer: answered 500',
        }),
      );
    }
    edge.host.local.leave('bots');
    bots.server.closeAllConnections();
    await bots.close();
    const answer = await ask('gone');
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      503,
      'The service bots cannot be reached now. Try again later.',
    ]);
    expect(lines).toContainEqual({
      message: 'A call to the service bots failed.',
      request: 'gone',
      target: 'bots',
      method: 'GET',
      path: '/bot/7',
      cause: expect.stringMatching(overHttp ? /ECONNREFUSED|SocketError/ : /no service bots/),
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
