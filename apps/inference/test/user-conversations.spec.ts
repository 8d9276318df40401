import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('the conversations of a user, for administrators', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const [ann, ben] = [newId(), newId()];
  const places: (Place & { readonly text: string })[] = [];
  const ask = (path: string) => request(service.server).get(path).set(service.as('root', 'Admin'));
  const say = async (user: string, text: string, conversation_id?: string): Promise<Place> => {
    const message = { content: [{ content_type: 'text', body: text }] };
    const { body } = await request(service.server).post('/conversation').set(service.as(user)).send({ conversation_id, message });
    const path = `/conversation/${body.conversation_id}/${body.message_id}`;
    await waitFor(async () => (await request(service.server).get(path).set(service.as(user))).status === 200, { what: 'a reply' });
    return body;
  };
  const pages = async (path: string, list: string, limit: number, between = async () => {}) => {
    const all: { conversation_id: string; content: { body: string }[] }[][] = [];
    for (let token = ''; ;) {
      const { body } = await ask(`${path}?limit=${limit}${token}`);
      all.push(body[list]);
      if (body.next_token === null) return all;
      token = `&next_token=${body.next_token}`;
      await between();
    }
  };
  const log = async (after: number) => (await service.host.published.of('inference'))!.after(after);
  const texts = (prompts: readonly { content: { body: string }[] }[]) => prompts.map(({ content }) => content[0]!.body);

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
    for (const text of ['first', 'second', 'third']) places.push({ ...(await say(ann, text)), text });
    // IDs of a process never go back in time, and earlier specs may have been ahead of the clock.
    places.sort((one, other) => (one.conversation_id < other.conversation_id ? -1 : 1));
    await say(ben, 'mine');
  });
  afterAll(() => service.stop());

  it('are listed, the newest first, with the newest event that is included', async () => {
    const { status, body } = await ask(`/admin/users/${ann}/conversations`);
    expect(status).toBe(200);
    // The audit entry of the request itself comes after it.
    expect(body.as_of).toEqual({ position: (await log(0)).head - 1, time: expect.any(String) });
    const ids = body.conversations.map(({ conversation_id }: Place) => conversation_id);
    expect(ids).toEqual(places.map(({ conversation_id }) => conversation_id).toReversed());
    expect(body.conversations[0]).toEqual({
      conversation_id: places[2]!.conversation_id,
      title: places[2]!.text,
      create_time: expect.any(Number),
      bot_id: null,
      bot_title: null,
      total_price: 0,
    });
  });
  it('are in pages that neither skip nor repeat a conversation that continues in the meantime', async () => {
    const goOn = async () => void (await say(ann, 'more', places[0]!.conversation_id));
    const ids = (await pages(`/admin/users/${ann}/conversations`, 'conversations', 2, goOn)).map((page) =>
      page.map(({ conversation_id }) => conversation_id),
    );
    const [first, second, third] = places.map(({ conversation_id }) => conversation_id);
    expect(ids).toEqual([[third, second], [first]]);
  });
  it('have their prompts, the oldest first, in full pages', async () => {
    const { conversation_id, text: opening } = places[1]!;
    for (const text of ['2', '3']) await say(ann, text, conversation_id);
    const path = `/admin/users/${ann}/conversations/${conversation_id}/prompts`;
    const { body } = await ask(path);
    expect(body.prompts[0]).toEqual({
      message_id: expect.any(String),
      content: [{ content_type: 'text', body: opening }],
      create_time: expect.any(Number),
    });
    expect((await pages(path, 'prompts', 2)).map((page) => texts(page))).toEqual([[opening, '2'], ['3']]);
    expect((await pages(path, 'prompts', 3)).map((page) => texts(page))).toEqual([[opening, '2', '3']]);
  });
  it('have their prompts in CSV too, in one file of all pages', async () => {
    const { conversation_id } = await say(ann, '=1+1, "so"');
    for (let index = 0; index < 3; index++) await say(ann, `more ${index}`, conversation_id);
    const path = `/admin/users/${ann}/conversations/${conversation_id}/prompts`;
    const { text, headers } = await ask(path).set('accept', 'text/csv');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="prompts.csv"',
    });
    const { prompts } = (await ask(path)).body as { prompts: { message_id: string; create_time: number }[] };
    const cells = [`"'=1+1, ""so"""`, 'more 0', 'more 1', 'more 2'];
    const lines = prompts.map(({ message_id, create_time }, index) => `${message_id},${create_time},${cells[index]}\r\n`);
    expect(text).toBe(`message_id,create_time,content\r\n${lines.join('')}`);
    const ofBen = ask(`/admin/users/${ben}/conversations/${conversation_id}/prompts`).set('accept', 'text/csv');
    expect((await ofBen).body).toMatchObject({ status: 404, code: 'conversation_not_found' });
    await request(service.server).delete(`/conversation/${conversation_id}`).set(service.as(ann));
  });
  it('are recorded in the log before they are answered', async () => {
    const { conversation_id } = places[0]!;
    const before = (await log(0)).head;
    await ask(`/admin/users/${ann}/conversations/${conversation_id}/prompts`);
    const { events } = await log(before);
    const viewed = { action: 'view_prompts', resource_type: 'conversation', resource_id: conversation_id };
    expect(events).toEqual([expect.objectContaining({ type: 'parlance.inference.data-viewed.v1', actor: 'root', data: viewed })]);
  });
  it('are found only if they belong to the user', async () => {
    const answer = await ask(`/admin/users/${ben}/conversations/${places[0]!.conversation_id}/prompts`);
    expect(answer.body).toMatchObject({ status: 404, code: 'conversation_not_found' });
  });
  it('disappear with their prompts when their user deletes them', async () => {
    const { conversation_id } = places[2]!;
    await request(service.server).delete(`/conversation/${conversation_id}`).set(service.as(ann));
    expect((await ask(`/admin/users/${ann}/conversations/${conversation_id}/prompts`)).status).toBe(404);
    expect((await ask(`/admin/users/${ann}/conversations`)).body.conversations).toHaveLength(2);
  });
  it('are empty for a user without any, and not found for an unknown or erased user', async () => {
    const cat = newId();
    const path = `/admin/users/${cat}/conversations`;
    for (const answer of [await ask(path), await ask(path).set('accept', 'text/csv')])
      expect(answer.body).toMatchObject({ status: 404, code: 'user_not_found' });
    await keys.seal(cat, 'Cat');
    expect((await ask(path)).body).toMatchObject({ conversations: [], next_token: null });
    await keys.erase(cat);
    expect((await ask(path)).status).toBe(404);
  });
  it('are only for administrators', async () => {
    const sending = request(service.server).get(`/admin/users/${ann}/conversations`).set(service.as(ann, 'PublishAllowed'));
    expect((await sending).status).toBe(403);
  });
});
