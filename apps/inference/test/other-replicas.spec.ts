import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Config } from '@parlance/config';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { CallerStatements } from '@parlance/http';
import type { Logger } from '@parlance/observability';
import { freePort, waitFor } from '@parlance/testing';
import { HEARTBEAT_HEADER, OtherReplicas, replicaUrlOf } from '../src/adapters/other-replicas.ts';
import type { Followed, StreamPosition } from '../src/adapters/stream-events.ts';
import { inference } from '../src/service.ts';
import { ScriptedModel } from './scripted-model.ts';

const configured = (settings: Partial<Config>) => Object.assign(new Config(), { services: { inference: 'http://inference' }, ...settings });

describe('the address at which other replicas reach this process', () => {
  it.each<[Partial<Config>, string | null]>([
    [{ host: '127.0.0.1', port: 7001 }, 'http://127.0.0.1:7001'],
    [{ host: '::1', port: 7001 }, 'http://[::1]:7001'],
    [{ host: '0.0.0.0', replicaUrl: 'http://10.1.2.3:8080/' }, 'http://10.1.2.3:8080'],
    [{ host: '127.0.0.1', port: 0 }, null],
    [{ services: {}, replicaUrl: 'http://10.1.2.3:8080' }, null],
  ])('of %j is %j', (settings, expected) => expect(replicaUrlOf(configured(settings))).toBe(expected));
  it('is not a loopback address if the process listens on all', () =>
    expect(replicaUrlOf(configured({ host: '0.0.0.0', port: 7001 }))).toMatch(/^(?!http:\/\/127\.)http:\/\/.+:7001$/));
});

describe('a reply that another replica writes', () => {
  let service: ServiceUnderTest;
  let url: string;
  const model = new ScriptedModel();
  const warned: unknown[] = [];
  const log = { warn: (line: unknown) => void warned.push(line) } as unknown as Logger;
  const replica = (statements = service.host.statements) => new OtherReplicas(statements, configured({ port: 1 }), log);

  const ask = async (question: string): Promise<Followed> => {
    const answer = await fetch(`${url}/conversation`, {
      method: 'POST',
      headers: { ...service.as('ann'), 'content-type': 'application/json' },
      body: JSON.stringify({ message: { content: [{ content_type: 'text', body: question }] } }),
    });
    const { conversation_id, message_id } = (await answer.json()) as { conversation_id: string; message_id: string };
    return { conversationId: conversation_id, replyId: message_id, userId: 'ann' };
  };
  /** Follows in the background. */
  const following = (followed: Followed, after: StreamPosition | null = null, from = replica(), worker = url) => {
    const seen = { names: [] as string[], text: '', at: null as StreamPosition | null, hasEnded: false };
    const reader = new AbortController();
    const read = async () => {
      for await (const { at, event } of from.follow(worker, followed, after, reader.signal)) {
        seen.names.push(event.event);
        if (event.event === 'delta') seen.text += (event.data as { text: string }).text;
        seen.at = at;
      }
      seen.hasEnded = true;
    };
    void read();
    return { seen, reader };
  };

  beforeAll(async () => {
    model.enter();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = await serviceUnderTest(inference);
    await new Promise<void>((resolve) => service.server.listen(port, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await service.stop();
    jest.restoreAllMocks();
  });

  it('is passed on as it is produced, from any position, until that replica has no more', async () => {
    const followed = await ask('Why?');
    const call = (await model.call('Why?')).say('So ');
    const { seen } = following(followed);
    await waitFor(() => seen.text === 'So ', { what: 'the text' });
    const { seen: rest } = following(followed, seen.at);
    call.say('it is.');
    await waitFor(() => rest.text === 'it is.', { what: 'the rest' });
    call.end();
    await waitFor(() => seen.hasEnded && rest.hasEnded, { what: 'the end' });
    expect([seen.names, seen.text]).toEqual([['start', 'delta', 'delta'], 'So it is.']);
    expect([rest.names, rest.text]).toEqual([['delta'], 'it is.']);
  });
  it('has comments, as often as its answer says, while its provider is silent', async () => {
    const followed = await ask('How long?');
    const call = (await model.call('How long?')).say('So ');
    const fetched = globalThis.fetch;
    const copies: Response[] = [];
    jest.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...request) => {
      const answer = await fetched(...request);
      copies.push(answer.clone());
      return answer;
    });
    const { reader } = following(followed);
    await waitFor(() => copies.length === 1, { what: 'the answer' });
    let text = '';
    for await (const chunk of copies[0]!.body!.pipeThrough(new TextDecoderStream())) if ((text += chunk).includes('\n:\n')) break;
    expect(copies[0]!.headers.get(HEARTBEAT_HEADER)).toBe('500');
    reader.abort();
    call.end();
  });
  it('ends for a reader that leaves', async () => {
    const followed = await ask('When?');
    const call = (await model.call('When?')).say('At');
    const { seen, reader } = following(followed);
    await waitFor(() => seen.text === 'At', { what: 'the text' });
    reader.abort();
    await waitFor(() => seen.hasEnded, { what: 'the end' });
    call.end();
  });
  it('is cancelled at that replica', async () => {
    const followed = await ask('Where?');
    const call = (await model.call('Where?')).say('There');
    await replica().cancel(url, { ...followed, userId: 'ben' });
    expect(call.signal.aborted).toBe(false);
    await replica().cancel(url, followed);
    expect(call.signal.aborted).toBe(true);
  });
  it('is not requested from itself', async () => {
    const followed = await ask('Here?');
    const call = (await model.call('Here?')).say('Here');
    const own = new OtherReplicas(service.host.statements, configured({ host: '127.0.0.1', port: Number(new URL(url).port) }), log);
    const { seen } = following(followed, null, own);
    await waitFor(() => seen.hasEnded, { what: 'the end' });
    await own.cancel(url, followed);
    expect([seen.names, call.signal.aborted]).toEqual([[], false]);
    call.end();
  });
  it('is not followed to another address', async () => {
    const followed = await ask('Elsewhere?');
    const call = (await model.call('Elsewhere?')).say('Here');
    const moved = createServer((request, response) => response.writeHead(307, { location: `${url}${request.url!}` }).end());
    await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    const { seen } = following(followed, null, replica(), `http://127.0.0.1:${(moved.address() as AddressInfo).port}`);
    await waitFor(() => seen.hasEnded || seen.names.length > 0, { what: 'the end' });
    moved.close();
    expect(seen.names).toEqual([]);
    call.end();
  });
  it('is not shown to other users, or to callers without the key of the installation', async () => {
    const followed = await ask('Whose?');
    const call = (await model.call('Whose?')).say('Mine');
    const stranger = following({ ...followed, userId: 'ben' }).seen;
    const forged = following(followed, null, replica(new CallerStatements(Buffer.alloc(32, 1)))).seen;
    await waitFor(() => stranger.hasEnded && forged.hasEnded, { what: 'the ends' });
    expect([stranger.names, forged.names]).toEqual([[], []]);
    const path = `/internal/replies/${followed.conversationId}/${followed.replyId}/stream`;
    expect((await fetch(`${url}${path}`, { headers: service.as('ann') })).status).toBe(404);
    call.end();
  });

  describe('whose replica does not answer', () => {
    let broken: Server;
    const { promise: called, resolve: isCalled } = Promise.withResolvers<void>();
    afterAll(() => broken?.close().closeAllConnections());

    it('causes no error', async () => {
      const gone = `http://127.0.0.1:${await freePort()}`;
      const before = warned.length;
      for await (const _ of replica().follow(
        gone,
        { conversationId: 'c', replyId: 'r', userId: 'ann' },
        null,
        new AbortController().signal,
      ))
        throw new Error('nothing is to come');
      await replica().cancel(gone, { conversationId: 'c', replyId: 'r', userId: 'ann' });
      expect(warned.length).toBe(before + 2);
    });
    it('is followed while its provider is silent', async () => {
      const silent = createServer((_, answer) => {
        answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        setTimeout(() => answer.end(`id: ${'0'.repeat(26)}.0.2.0\nevent: delta\ndata: {"text":"So"}\n\n`), 600);
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const its = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const place = { conversationId: 'c', replyId: 'r', userId: 'ann' };
      const names: string[] = [];
      const hasty = Object.assign(replica(), { answerMillis: 500 });
      for await (const { event } of hasty.follow(its, place, null, new AbortController().signal)) names.push(event.event);
      silent.close().closeAllConnections();
      expect(names).toEqual(['delta']);
    });
    it('is lost when it stops sending the comments that it announced', async () => {
      const frozen = createServer((_, answer) => {
        answer.writeHead(200, { 'content-type': 'text/event-stream', [HEARTBEAT_HEADER]: '50' });
        answer.write(`id: ${'0'.repeat(26)}.0.2.0\nevent: delta\ndata: {"text":"So"}\n\n`);
      });
      await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve));
      const its = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;
      const place = { conversationId: 'c', replyId: 'r', userId: 'ann' };
      const seen: string[] = [];
      const onLost = () => void seen.push('lost');
      for await (const { event } of replica().follow(its, place, null, new AbortController().signal, onLost)) seen.push(event.event);
      frozen.close().closeAllConnections();
      expect(seen).toEqual(['delta', 'lost']);
    });
    it('is not read from a refusal', async () => {
      const refusing = createServer((_, answer) =>
        answer
          .writeHead(502, { 'content-type': 'text/event-stream' })
          .end(`id: ${'0'.repeat(26)}.0.2.0\nevent: delta\ndata: {"text":"No"}\n\n`),
      );
      await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
      const its = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
      const { seen } = following({ conversationId: 'c', replyId: 'r', userId: 'ann' }, null, replica(), its);
      await waitFor(() => seen.hasEnded, { what: 'the end' });
      refusing.close().closeAllConnections();
      expect(seen.names).toEqual([]);
    });
    it('is abandoned after a while', async () => {
      broken = createServer(() => isCalled());
      await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
      const hung = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
      const place = { conversationId: 'c', replyId: 'r', userId: 'ann' };
      const hasty = Object.assign(replica(), { answerMillis: 200 });
      const begun = performance.now();
      for await (const _ of hasty.follow(hung, place, null, new AbortController().signal)) throw new Error('nothing is to come');
      await called;
      expect(performance.now() - begun).toBeGreaterThan(190);
    });
  });
});
