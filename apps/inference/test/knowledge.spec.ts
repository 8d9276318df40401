import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { CHUNK_BYTES } from '../src/adapters/from-bot.ts';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('a conversation with a bot that has knowledge', () => {
  let service: ServiceUnderTest;
  let bots: BotsService;
  const keys = new KeysOfUsers();
  const refunds = { content: 'A refund takes fourteen days.', source_id: 'refunds', page_number: 3 };
  const dogs = { content: 'Dogs are welcome on Fridays.', source_id: 'dogs' };

  const ask = async (body: string, conversation_id?: string, userId = 'ann', groups: readonly string[] = []): Promise<Place> => {
    const message = { content: [{ content_type: 'text', body }] };
    const answer = await request(service.server)
      .post('/conversation')
      .set(service.as(userId, ...groups))
      .send({ conversation_id, bot_id: botId, message });
    expect([answer.status, answer.body.code]).toEqual([202, undefined]);
    return answer.body;
  };
  const get = (path: string, userId = 'ann') => request(service.server).get(path).set(service.as(userId));
  const reply = async ({ conversation_id, message_id }: Place, userId = 'ann') => {
    const path = `/conversation/${conversation_id}/${message_id}`;
    await waitFor(async () => (await get(path, userId)).status === 200, { what: 'the reply' });
    return (await get(path, userId)).body;
  };
  const related = async (conversationId: string, rest = '', userId = 'ann') =>
    get(`/conversation/${conversationId}/related-documents${rest}`, userId);

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  beforeEach(async () => {
    bots = new BotsService();
    bots.chunks = [dogs, refunds];
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('is answered from the results of a search, with the chunks beside the text', async () => {
    const { status, message } = await reply(await ask('How long does a refund take?'));
    expect([status, message.content[0].body]).toEqual(['completed', expect.stringContaining('A refund takes fourteen days. [^2]')]);
    expect(message.used_chunks).toMatchObject([
      { content: dogs.content, content_type: 'text', source: 'dogs.pdf', source_name: 'dogs.pdf', page_number: 1, rank: 1, score: 1 },
      { content: refunds.content, source_id: 'refunds', page_number: 3, heading: null, rank: 2, score: 0.5 },
    ]);
    expect(bots.searches).toEqual([{ sub: 'ann', groups: [], query: 'How long does a refund take?' }]);
  });
  it('has neither chunks nor markers if the bot does not show its sources', async () => {
    bots.showsSources = false;
    const place = await ask('refund');
    const { message } = await reply(place);
    expect(message.content[0].body).toContain('> A refund takes fourteen days.');
    expect(message.content[0].body).not.toMatch(/\[\^|refunds/);
    expect(message).not.toHaveProperty('used_chunks');
    expect((await related(place.conversation_id)).body).toEqual({ related_documents: [], next_token: null });
  });
  it('has no chunks for a bot without knowledge', async () => {
    bots.hasKnowledge = false;
    const { message } = await reply(await ask('refund'));
    expect(message).not.toHaveProperty('used_chunks');
    expect(bots.searches.length).toBe(1);
  });
  it('fails with a reason when the bot was deleted in the meantime', async () => {
    // The bot is deleted between the permission and the search.
    const { retrieve } = bots;
    bots.retrieve = (...call) => {
      bots.isDeleted = true;
      return retrieve.apply(bots, call);
    };
    const { status, error } = await reply(await ask('refund'));
    expect([status, error]).toEqual(['failed', { code: 'bot_not_found', message: 'This bot was deleted, or you may no longer use it.' }]);
  });
  it('is searched with the current groups of its user, not with those of an older token', async () => {
    bots.group = 'team';
    bots.groups.set('ben', ['team']);
    const { message } = await reply(await ask('refund', undefined, 'ben', ['team']), 'ben');
    expect(message.used_chunks.length).toBe(2);
    bots.groups.set('ben', []);
    const { status, error } = await reply(await ask('refund', undefined, 'ben', ['team']), 'ben');
    expect([status, error.code]).toEqual(['failed', 'bot_not_found']);
    expect(bots.searches.map(({ sub, groups }) => [sub, groups])).toEqual([
      ['ben', []],
      ['ben', ['team']],
      ['ben', []],
    ]);
  });
  it('is answered later when the knowledge cannot be searched now', async () => {
    bots.isAway = true;
    const place = await ask('refund');
    await waitFor(() => bots.searches.length === 1, { what: 'the first search' });
    bots.isAway = false;
    service.later(60_000);
    const { message } = await reply(place);
    expect(message.used_chunks.length).toBe(2);
    expect(bots.searches).toEqual(Array.from({ length: 2 }, () => ({ sub: 'ann', groups: [], query: 'refund' })));
  });

  describe('lists the documents that it cites', () => {
    let place: Place;
    let second: Place;
    beforeAll(async () => {
      bots = new BotsService();
      bots.chunks = [dogs, refunds];
      await bots.enter(service);
      place = await ask('refund');
      await reply(place);
      bots.chunks = [refunds, { content: 'A refund needs a receipt.', source_id: 'refunds' }, { content: 'Tea.', source_id: 'tea' }];
      second = await ask('receipt', place.conversation_id);
      await reply(second);
    });

    it('the most recently cited first', async () => {
      const { status, body } = await related(place.conversation_id);
      expect([status, body]).toEqual([
        200,
        {
          related_documents: [
            { source_id: 'refunds', source: 'refunds.pdf', source_name: 'refunds.pdf', last_message_id: second.message_id },
            { source_id: 'tea', source: 'tea.pdf', source_name: 'tea.pdf', last_message_id: second.message_id },
            { source_id: 'dogs', source: 'dogs.pdf', source_name: 'dogs.pdf', last_message_id: place.message_id },
          ],
          next_token: null,
        },
      ]);
    });
    it('in pages', async () => {
      const ids: string[] = [];
      for (let rest: string | null = '?limit=2'; rest !== null;) {
        const { body } = await related(place.conversation_id, rest);
        ids.push(body.related_documents.map(({ source_id }: { source_id: string }) => source_id).join(' '));
        rest = body.next_token && `?limit=2&next_token=${body.next_token}`;
      }
      expect(ids).toEqual(['refunds tea', 'dogs']);
      expect((await related(place.conversation_id, '?next_token=changed')).body.code).toBe('invalid_next_token');
    });
    it('each with the chunks of all replies', async () => {
      const { status, body } = await related(place.conversation_id, '/refunds');
      expect([status, body]).toMatchObject([200, { source_id: 'refunds', source: 'refunds.pdf', source_name: 'refunds.pdf' }]);
      const found = body.chunks.map(({ message_id, rank, content }: Record<string, unknown>) => [message_id, rank, content]);
      expect(found).toEqual([
        [second.message_id, 1, refunds.content],
        [second.message_id, 2, 'A refund needs a receipt.'],
        [place.message_id, 2, refunds.content],
      ]);
    });
    it('only to its owner', async () => {
      expect((await related(place.conversation_id, '', 'ben')).body).toMatchObject({ status: 404, code: 'conversation_not_found' });
      expect((await related(place.conversation_id, '/refunds', 'ben')).body).toMatchObject({ status: 404, code: 'conversation_not_found' });
      expect((await related(botId)).body).toMatchObject({ status: 404, code: 'conversation_not_found' });
      expect((await related(place.conversation_id, '/other')).body).toMatchObject({ status: 404, code: 'document_not_found' });
    });
  });

  it('lists documents with long chunks in pages of few', async () => {
    bots.owner = 'fay';
    let conversationId: string | undefined;
    for (let number = 0; number < 14; number++) {
      bots.chunks = [{ content: 'x '.repeat(CHUNK_BYTES / 2), source_id: `d${number}` }];
      const place = await ask('x', conversationId, 'fay');
      conversationId = place.conversation_id;
      await reply(place, 'fay');
    }
    const sizes: number[] = [];
    for (let rest: string | null = ''; rest !== null;) {
      const { body } = await related(conversationId!, rest, 'fay');
      sizes.push(body.related_documents.length);
      rest = body.next_token && `?next_token=${body.next_token}`;
    }
    expect(sizes).toEqual([3, 3, 3, 3, 2]);
    await keys.erase('fay');
    const { body } = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'fay' });
    expect(body.removed).toEqual({ conversations: 1, messages: 28 });
    expect((await related(conversationId!, '', 'fay')).status).toBe(404);
  });

  it('stores neither chunks, documents nor the question in plain text', async () => {
    bots.chunks = [{ content: 'canary-in-a-chunk', source_id: 'canary-source' }];
    await reply(await ask('canary-in-a-chunk'));
    const folder = service.host.directory!.path;
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files) {
      const content = await readFile(`${parentPath}/${name}`);
      for (const word of ['canary-in-a-chunk', 'canary-source.pdf']) expect([name, content.includes(word)]).toEqual([name, false]);
    }
  });
});
