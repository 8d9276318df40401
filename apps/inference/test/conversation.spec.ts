import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { CloudEvent } from '@parlance/messaging';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { TRANSCRIPT_TURNS } from '../src/projections/transcript.ts';
import { inference } from '../src/service.ts';

interface Completed {
  readonly reply_id: string;
  readonly usage: { readonly input_tokens: number };
}

interface Place {
  readonly conversation_id: string;
}

describe('a conversation', () => {
  let service: ServiceUnderTest;
  const published: CloudEvent[] = [];
  const ask = (body: string, more: { conversation_id?: string; parent?: string } = {}, userId = 'ann') => {
    const { conversation_id, parent: parent_message_id } = more;
    const message = { content: [{ content_type: 'text', body }], parent_message_id };
    return request(service.server).post('/conversation').set(service.as(userId)).send({ conversation_id, message });
  };
  const look = async (conversation: string, message: string) =>
    request(service.server).get(`/conversation/${conversation}/${message}`).set(service.as('ann'));
  const reply = async (conversation: string, message: string) => {
    await waitFor(async () => (await look(conversation, message)).status === 200, { what: 'the reply' });
    return (await look(conversation, message)).body;
  };
  const completed = async (replyId: string) => {
    const of = () => published.find(({ type, data }) => type.endsWith('reply-completed.v1') && (data as Completed).reply_id === replyId);
    await waitFor(() => of() !== undefined, { what: 'the event of the reply' });
    return of() as CloudEvent<Completed>;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
  });
  afterAll(() => service.stop());

  it('has its reply claimed in the append that accepts the message, and records the user', async () => {
    const { body } = await ask('Why?');
    await reply(body.conversation_id, body.message_id);
    // The events of one conversation are in order, so the message's event is there when the reply's is.
    const end = await completed(body.message_id);
    const accepted = published.find(
      ({ type, data }) => type.endsWith('message-submitted.v1') && (data as Completed).reply_id === body.message_id,
    );
    expect([accepted?.sequence.split('.')[1], Number.parseInt(end.sequence) - Number.parseInt(accepted!.sequence)]).toEqual(['1', 1]);
    expect(end).toMatchObject({
      actor: 'ann',
      actorip: expect.stringMatching(/^s1\./),
      causationid: accepted!.id,
      correlationid: accepted!.correlationid,
    });
  });

  it('shows the text of the user and the reply to it', async () => {
    const { body } = await ask('Why is the sky blue?');
    const { message } = await reply(body.conversation_id, body.message_id);
    expect(message).toMatchObject({ role: 'assistant', content: [{ content_type: 'text', body: expect.stringMatching(/./) }] });
    const question = await look(body.conversation_id, message.parent);
    expect(question.body.message).toEqual({
      message_id: message.parent,
      role: 'user',
      content: [{ content_type: 'text', body: 'Why is the sky blue?' }],
      model: expect.any(String),
      parent: null,
      children: [message.message_id],
      create_time: expect.any(Number),
    });
  });

  it('recognises a repeat of a request, even after later messages', async () => {
    const nid = newId();
    const repeatable = (conversation_id?: string) => {
      const statement = { sub: 'ann', groups: [], sid: 'session', kind: 'user', ip: null, ua: null, rid: nid, cid: nid, nid } as const;
      const message = { content: [{ content_type: 'text', body: 'Why?' }] };
      const headers = { 'x-parlance-caller': service.host.statements.sign(statement, Instant.ofMillis(Date.now())) };
      return request(service.server).post('/conversation').set(headers).send({ conversation_id, message });
    };
    const [first, again] = [await repeatable(), await repeatable()];
    const { conversation_id, message_id } = first.body;
    await reply(conversation_id, message_id);
    const next = (await ask('How?', { conversation_id })).body;
    const whileNextIsOwed = await repeatable();
    await reply(conversation_id, next.message_id);
    expect([again, whileNextIsOwed, await repeatable()].map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 3 }, () => [202, first.body]),
    );
    await completed(next.message_id);
    const submitted = published.filter(
      ({ type, data }) => type.endsWith('submitted.v1') && (data as Place).conversation_id === conversation_id,
    );
    expect(submitted.map(({ data }) => (data as Completed).reply_id)).toEqual([message_id, next.message_id]);
  });

  it('needs no more reads when it is long', async () => {
    let { body } = await ask('And why is that?');
    const conversation_id = body.conversation_id as string;
    const tokens: number[] = [];
    for (let turn = 1; turn <= TRANSCRIPT_TURNS; turn++) {
      await reply(conversation_id, body.message_id);
      tokens.push((await completed(body.message_id)).data.usage.input_tokens);
      ({ body } = await ask('And why is that?', { conversation_id }));
    }
    expect(tokens[1]).toBeGreaterThan(tokens[0]!);
    expect(new Set(tokens.slice(TRANSCRIPT_TURNS / 2)).size).toBe(1);
  });

  it('answers messages of a megabyte, and others at the same time', async () => {
    const { body } = await ask('x'.repeat(1024 * 1024));
    const { conversation_id } = body;
    await reply(conversation_id, body.message_id);
    const before = (await completed(body.message_id)).data.usage.input_tokens;
    const next = (await ask('y '.repeat(512 * 1024), { conversation_id })).body;
    await reply(conversation_id, next.message_id);
    // The first one no longer fits into the prompt.
    expect((await completed(next.message_id)).data.usage.input_tokens).toBeLessThan(before + 1024 * 1024);
    const last = (await ask('And now?', { conversation_id })).body;
    await reply(conversation_id, last.message_id);
    expect((await completed(last.message_id)).data.usage.input_tokens).toBeLessThan(100);
  });

  it('accepts twenty messages that arrive at once under one earlier message', async () => {
    const { body } = await ask('Why?');
    const { message } = await reply(body.conversation_id, body.message_id);
    const { conversation_id } = body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => ask(`Branch ${number}?`, { conversation_id, parent: message.message_id })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    for (const answer of answers) await reply(conversation_id, answer.body.message_id);
    const { body: answered } = await look(conversation_id, message.message_id);
    expect(answered.message.children).toHaveLength(20);
  });

  it('may branch off an earlier message, but not off an unknown one', async () => {
    const { body } = await ask('Why?');
    const { parent } = (await reply(body.conversation_id, body.message_id)).message;
    const branch = (await ask('How?', { conversation_id: body.conversation_id, parent })).body;
    const question = (await reply(body.conversation_id, branch.message_id)).message.parent;
    expect((await look(body.conversation_id, question)).body.message.parent).toBe(parent);
    const wrong = await ask('What?', { conversation_id: body.conversation_id, parent: '01K0000000000000000000000A' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'parent_message_unknown']);
  });
});
