import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { OwnSearch, SEARCHED_BYTES, SEARCHED_MILLIS, type SearchPosition } from '../src/projections/own-search.ts';
import { wordsOf } from '../src/projections/search-words.ts';
import { inference } from '../src/service.ts';

interface Highlight {
  readonly message_id: string;
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly length: number }[];
}
interface Result {
  readonly conversation_id: string;
  readonly title: string;
  readonly highlights: readonly Highlight[];
}

describe('searching own conversations', () => {
  let service: ServiceUnderTest;
  const get = (userId: string, path: string) => request(service.server).get(path).set(service.as(userId));
  const say = async (userId: string, text: string, id?: string): Promise<string> => {
    const body = { conversation_id: id, message: { content: [{ content_type: 'text', body: text }] } };
    const { conversation_id, message_id } = (await request(service.server).post('/conversation').set(service.as(userId)).send(body)).body;
    await waitFor(async () => (await get(userId, `/conversation/${conversation_id}/${message_id}`)).status === 200, { what: 'a reply' });
    return conversation_id as string;
  };
  const search = async (userId: string, query: string, more = '') =>
    (await get(userId, `/conversations/search?query=${encodeURIComponent(query)}${more}`)).body as {
      results: Result[];
      next_token: string | null;
    };
  const found = async (userId: string, query: string) =>
    (await search(userId, query)).results.map(({ conversation_id }) => conversation_id);

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
  });
  afterAll(() => service.stop());

  it('finds messages whatever their case and accents, and marks the words', async () => {
    const id = await say('ann', 'Tell me about the Café de Flore, and its history.');
    await say('ann', 'Something else.');
    const { results, next_token } = await search('ann', 'cafe HISTORY');
    expect(results).toMatchObject([
      {
        conversation_id: id,
        title: 'Tell me about the Café de Flore, and its history.',
        bot_id: null,
        last_message_time: expect.any(Number),
      },
    ]);
    const highlights = results[0]!.highlights;
    for (const { text, matches } of highlights)
      expect(matches.map(({ start, length }) => text.slice(start, start + length).toLowerCase()).sort()).toEqual(
        expect.arrayContaining(['café', 'history']),
      );
    expect([highlights.length > 0, next_token]).toEqual([true, null]);
  });
  it('finds phrases and titles', async () => {
    const id = await say('ann', 'The quick brown fox.');
    await request(service.server).patch(`/conversation/${id}/title`).set(service.as('ann')).send({ title: 'Animals' });
    expect([await found('ann', '"quick brown"'), await found('ann', '"brown quick"'), await found('ann', 'animals')]).toEqual([
      [id],
      [],
      [id],
    ]);
  });
  it('finds nothing of other users', async () => {
    await say('ben', 'A secret of Ben.');
    expect([await found('ann', 'secret'), (await found('ben', 'secret')).length]).toEqual([[], 1]);
  });
  it('finds nothing of a deleted conversation', async () => {
    const id = await say('cat', 'Forget the zebra.');
    expect(await found('cat', 'zebra')).toEqual([id]);
    await request(service.server).delete(`/conversation/${id}`).set(service.as('cat'));
    expect(await found('cat', 'zebra')).toEqual([]);
  });
  it('returns pages, the conversation with the newest message first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift(await say('dan', `needle ${count}`));
    const first = await search('dan', 'needle', '&limit=2');
    const second = await search('dan', 'needle', `&limit=2&next_token=${first.next_token}`);
    expect([first, second].flatMap(({ results }) => results.map((each) => each.conversation_id))).toEqual(ids);
    expect(second.next_token).toBeNull();
  });
  it('continues with the next token if one request does not read everything', async () => {
    const id = await say('eve', `${'start '.repeat(30)} needle ${'a'.repeat(1_000_000)}`);
    for (let bytes = 0; bytes < SEARCHED_BYTES; bytes += 1_000_000) await say('eve', 'b'.repeat(1_000_000), id);
    const first = await search('eve', 'needle');
    expect([first.results, first.next_token]).toEqual([[], expect.any(String)]);
    const { results } = await search('eve', 'needle', `&next_token=${first.next_token}`);
    expect(results.map(({ conversation_id }) => conversation_id)).toEqual([id]);
  });
  it('continues with the next token if the database is slow', async () => {
    const ids = [await say('fay', 'needle one'), await say('fay', 'needle two'), await say('fay', 'needle three')];
    let millis = performance.now();
    // Each look at the clock finds that the time for a request has passed.
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (millis += SEARCHED_MILLIS));
    try {
      const seen: string[] = [];
      let from: SearchPosition | null = null;
      let requests = 0;
      do {
        const part: Awaited<ReturnType<OwnSearch['find']>> = await service.part(OwnSearch).find('fay', wordsOf('needle'), 10, from);
        seen.push(...part.found.map(({ row }) => row.conversation_id));
        from = part.next;
        requests++;
      } while (from && requests < 20);
      expect([seen, requests > 1, from]).toEqual([ids.toReversed(), true, null]);
    } finally {
      clock.mockRestore();
    }
  });
  it.each(['?!', ' '])('refuses a query without words: %j', async (query) => {
    expect((await search('ann', query)) as unknown).toMatchObject({ status: 400, code: 'query_without_words' });
  });
  it('refuses a token of another query', async () => {
    const { next_token } = await search('dan', 'needle', '&limit=1');
    expect((await search('dan', 'other', `&next_token=${next_token}`)) as unknown).toMatchObject({ code: 'invalid_next_token' });
  });
});
