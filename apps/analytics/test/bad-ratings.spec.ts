import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';

interface Rating {
  readonly message_id: string;
}

describe('the bad ratings of a bot', () => {
  let service: ServiceUnderTest;
  let events = 0;
  let isEarlierRelease = false;
  const [guide, other, fresh] = [newId(), newId(), newId()];
  const comments: Record<string, string> = { 'c1/r1': '=Wrong', 'c1/r3': 'Too long.' };
  const users: Record<string, string> = { 'c1/r1': 'ann', 'c1/r3': 'ann', 'c2/r4': 'gone' };
  const ask = (query = '', bot = guide, accept = 'application/json') =>
    request(service.server).get(`/admin/bots/${bot}/bad-ratings?${query}`).set(service.as('root', 'Admin')).set('accept', accept);
  const ids = async (query = '') => ((await ask(query)).body.ratings as Rating[]).map(({ message_id }) => message_id);
  const rate = (conversation_id: string, reply_id: string, thumbs_up: boolean, category: string | null = null, bot_id = guide) =>
    service.hear(
      'parlance.inference.feedback-given.v1',
      `conversation-${conversation_id}`,
      { conversation_id, user_id: 'ann', bot_id, reply_id, thumbs_up, category, has_comment: false },
      `e${++events}`,
    );
  const isCounted = async (down: number) =>
    (await request(service.server).get(`/admin/bots/${guide}/satisfaction`).set(service.as('root', 'Admin'))).body.thumbs_down === down;

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    const inference = fastify();
    inference.post<{ Body: { replies: string[] } }>('/internal/feedback/comments', async ({ body: { replies } }) => {
      const known = (of: Record<string, string>) => Object.fromEntries(Object.entries(of).filter(([reply]) => replies.includes(reply)));
      return { comments: known(comments), ...(!isEarlierRelease && { users: known(users) }) };
    });
    await service.host.local.enter('inference', inference);
    await enterPeople(service.host, [person('ann')]);
    for (const bot_id of [guide, other, fresh])
      await service.hear('parlance.bots.bot-created.v1', `bot-${bot_id}`, { bot_id, owner_user_id: 'ann' }, bot_id);
    await rate('c1', 'r1', false, 'wrong');
    await rate('c1', 'r2', true);
    await rate('c1', 'r3', false, 'too_long');
    await rate('c2', 'r4', false);
    await rate('c3', 'r5', false, 'wrong');
    await rate('c4', 'r6', false, 'wrong', other);
    await waitFor(() => isCounted(4), { what: 'the ratings' });
  });
  afterAll(() => service.stop());

  it('are listed, the newest first, with their users and comments', async () => {
    const { status, body } = await ask();
    const time = expect.any(Number);
    expect([status, body]).toEqual([
      200,
      {
        as_of: { position: expect.any(Number), time: expect.any(String) },
        bot_id: guide,
        next_token: null,
        ratings: [
          {
            conversation_id: 'c3',
            message_id: 'r5',
            user_id: null,
            user_name: null,
            category: 'wrong',
            comment: null,
            create_time: time,
            is_removed: true,
          },
          {
            conversation_id: 'c2',
            message_id: 'r4',
            user_id: 'gone',
            user_name: null,
            category: null,
            comment: null,
            create_time: time,
            is_removed: false,
          },
          {
            conversation_id: 'c1',
            message_id: 'r3',
            user_id: 'ann',
            user_name: 'ann Example',
            category: 'too_long',
            comment: 'Too long.',
            create_time: time,
            is_removed: false,
          },
          {
            conversation_id: 'c1',
            message_id: 'r1',
            user_id: 'ann',
            user_name: 'ann Example',
            category: 'wrong',
            comment: '=Wrong',
            create_time: time,
            is_removed: false,
          },
        ],
      },
    ]);
  });
  it('are in pages, which continue with the days of the first page after midnight', async () => {
    const first = (await ask('limit=3')).body;
    expect(first.ratings.map(({ message_id }: Rating) => message_id)).toEqual(['r5', 'r4', 'r3']);
    service.later(86_400_000);
    const second = (await ask(`limit=3&next_token=${first.next_token}`)).body;
    expect([second.ratings.map(({ message_id }: Rating) => message_id), second.next_token]).toEqual([['r1'], null]);
    expect((await ask(`days=7&next_token=${first.next_token}`)).body).toMatchObject({ status: 400, code: 'invalid_next_token' });
  });
  it('are limited to the requested days', async () => {
    expect(await ids('days=1')).toEqual([]);
    expect(await ids('days=2')).toHaveLength(4);
  });
  it('lose a rating that its user has changed to a good one', async () => {
    await rate('c3', 'r5', true);
    await waitFor(() => isCounted(3), { what: 'the later rating' });
    expect(await ids()).toEqual(['r4', 'r3', 'r1']);
  });
  it('are available as CSV', async () => {
    const { text } = await ask('', guide, 'text/csv');
    expect(text.split('\r\n')[0]).toBe('create_time,user_id,user_name,category,comment,conversation_id,message_id,is_removed');
    expect(text).toMatch(/\d,ann,ann Example,wrong,'=Wrong,c1,r1,false\r\n$/);
  });
  it('do not name users while a replica of an earlier release answers', async () => {
    isEarlierRelease = true;
    const { ratings } = (await ask('limit=1')).body;
    isEarlierRelease = false;
    expect(ratings).toMatchObject([{ message_id: 'r4', user_id: null, is_removed: false }]);
  });
  it('are recorded in the audit log as a look at the ratings', async () => {
    const log = (await service.host.published.of('analytics'))!;
    const { head } = await log.after(0);
    await ask();
    expect((await log.after(head)).events).toMatchObject([
      { actor: 'root', data: { action: 'view_satisfaction', resource_type: 'bot', resource_id: guide } },
    ]);
  });
  it('are empty for a bot without any', async () => {
    expect((await ask('', fresh)).body).toMatchObject({ ratings: [], next_token: null });
  });
  it.each(['limit=101', 'days=0', 'days=367'])('are refused for %s', async (query) => expect((await ask(query)).status).toBe(400));
  it('are for administrators only', async () => {
    const sending = request(service.server).get(`/admin/bots/${guide}/bad-ratings`).set(service.as('ann', 'PublishAllowed'));
    expect((await sending).status).toBe(403);
  });
});
