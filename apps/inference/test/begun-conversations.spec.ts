import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { conversationSubject } from '../src/commands/conversation-subject.ts';
import { conversationStream } from '../src/domain/conversation.ts';
import { opened } from './opened-service.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

const contentOf = (body: string) => [{ content_type: 'text', body }];

describe('a message', () => {
  const { service: inference, buses } = opened();
  const keys = new KeysOfUsers();
  let directory: string;
  let service: ServiceUnderTest;
  /** Empties the caches of the service, so that it behaves like another process. */
  const restart = async () => {
    await service?.stop();
    service = await serviceUnderTest(inference, { PARLANCE_DATA_DIR: directory });
    await keys.enter(service.host);
  };
  /** Sends a message. With the same `nid` it is a repeat of a request. */
  const ask = async (text: string, conversation_id?: string, nid = newId()) => {
    const statement = { sub: 'ann', groups: [], sid: 'session', kind: 'user', ip: null, ua: null, rid: nid, cid: nid, nid } as const;
    const answer = await request(service.server)
      .post('/conversation')
      .set('x-parlance-caller', service.host.statements.sign(statement, Instant.ofMillis(Date.now())))
      .send({ conversation_id, message: { content: contentOf(text) } });
    expect(answer.status).toBe(202);
    return answer.body as Place;
  };
  const shown = async ({ conversation_id }: Place, message: string) => {
    const { status, body } = await request(service.server).get(`/conversation/${conversation_id}/${message}`).set(service.as('ann'));
    return status === 200 ? (body as { message: { parent: string; content: object[] } }).message : null;
  };
  /** The question, when its reply has ended. */
  const answered = async (place: Place) => {
    const reply = await waitFor(() => shown(place, place.message_id), { what: 'the reply' });
    return (await shown(place, reply!.parent))?.content;
  };
  /** Counts the reads and writes of messages in one conversation from now on. */
  const counting = () => {
    const [read, snapshot, append] = [
      jest.spyOn(buses.store, 'read'),
      jest.spyOn(buses.store, 'loadSnapshot'),
      jest.spyOn(buses.store, 'append'),
    ];
    const [prepare, prepareNew] = [jest.spyOn(buses.keys, 'prepare'), jest.spyOn(buses.keys, 'prepareNew')];
    return (conversationId: string) => {
      const [stream, key] = [conversationStream(conversationId), conversationSubject(conversationId, 'ann').id];
      const appends = append.mock.calls.filter(
        ([its]) => its.stream === stream && its.events.some(({ type }) => type === 'MessageSubmitted'),
      );
      return {
        readsOfStream: [...read.mock.calls, ...snapshot.mock.calls].filter(([name]) => name === stream).length,
        appends: appends.length,
        readsOfKey: prepare.mock.calls.filter(([{ id }]) => id === key).length,
        newKeys: prepareNew.mock.calls.filter(([{ id }]) => id === key).length,
      };
    };
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-begun-'));
    await restart();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  it('that begins a conversation is accepted without a read of its stream and its key', async () => {
    const costOf = counting();
    const { conversation_id } = await ask('Why?');
    expect(costOf(conversation_id)).toEqual({ readsOfStream: 0, appends: 1, readsOfKey: 0, newKeys: 1 });
  });
  it('in a conversation that this process has begun is sealed with the key in the cache', async () => {
    const begun = await ask('First?');
    await answered(begun);
    const costOf = counting();
    await ask('Second?', begun.conversation_id);
    expect(costOf(begun.conversation_id)).toMatchObject({ appends: 1, readsOfKey: 0, newKeys: 0 });
  });
  it('in a conversation that another process has begun is appended at the first try, without a new key', async () => {
    const begun = await ask('First?');
    await answered(begun);
    await restart();
    const costOf = counting();
    await ask('Second?', begun.conversation_id);
    expect(costOf(begun.conversation_id)).toMatchObject({ appends: 1, readsOfKey: 1, newKeys: 0 });
  });
  it('can be read after a restart, even if the process answered a repeat of the first one before it', async () => {
    const nid = newId();
    const first = await ask('First?', undefined, nid);
    await answered(first);
    await restart();
    expect(await ask('First?', undefined, nid)).toEqual(first);
    const second = await ask('Second?', first.conversation_id);
    await answered(second);
    await restart();
    expect([await answered(first), await answered(second)]).toEqual([contentOf('First?'), contentOf('Second?')]);
  });
});
