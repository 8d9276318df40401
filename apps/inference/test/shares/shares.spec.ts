import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { MAX_SHARES_OF_CONVERSATION, SNAPSHOT_PAGE_BYTES } from '../../src/domain/shares/share-limits.ts';
import { waitFor } from '@parlance/testing';
import { SharedConversations } from '../../src/workflows/shares/shared-conversations.ts';
import { MessageFiles } from '../../src/adapters/files/message-files.ts';
import { BotsService } from '../bots-service.ts';
import { pathOf, type Shared, SharedWorld } from './shared-world.ts';

const botId = '01K0000000000000000000000B';
const CANARY = 'Quixotrine instruction';

interface Part {
  readonly content_type: string;
  readonly body?: string;
  readonly file_id?: string;
}
interface Message {
  readonly role: string;
  readonly content: readonly Part[];
  readonly used_chunks?: readonly object[];
}

const world = await SharedWorld.start();
afterAll(() => world.service.stop());

const textsOf = (messages: readonly Message[]) => messages.map(({ content }) => content.find(({ body }) => body !== undefined)?.body);

describe('a shared conversation', () => {
  it('is a snapshot from when it was shared, without later messages and other branches', async () => {
    const first = await world.say('ann', 'Why is the sky blue?');
    const { conversation_id } = first;
    await world.say('ann', 'The branch that is left.', { conversation_id });
    await world.say('ann', 'And the sea?', { conversation_id, parent: first.message_id });
    const shared = await world.share('ann', first);
    await world.say('ann', 'Said too late.', { conversation_id });
    const { status, body, headers } = await world.read(shared);
    expect([status, body.title, body.next_token]).toEqual([200, 'Why is the sky blue?', null]);
    const [question, , next] = textsOf(body.messages);
    expect([body.messages.length, question, next]).toEqual([4, 'Why is the sky blue?', 'And the sea?']);
    expect(body.messages[1]).toMatchObject({ model: 'local-extractive', model_name: 'Offline model' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    for (const hidden of ['ann', conversation_id, shared.share_id]) expect(JSON.stringify(body)).not.toContain(`"${hidden}"`);
  });

  it('is read in pages of limited number and size', async () => {
    const { conversation_id } = await world.say('ann', 'one');
    await world.say('ann', 'x'.repeat(SNAPSHOT_PAGE_BYTES), { conversation_id });
    await world.say('ann', 'three', { conversation_id });
    const shared = await world.share('ann', { conversation_id });
    const pages: Message[][] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { body } = await world.read(shared, 'ben', query);
      pages.push(body.messages);
      query = body.next_token === null ? '' : `?limit=2&next_token=${body.next_token}`;
    }
    expect(pages.map(({ length }) => length).every((length) => length >= 1 && length <= 2)).toBe(true);
    expect(pages.length).toBeGreaterThanOrEqual(4);
    const questions = pages.flat().filter(({ role }) => role === 'user');
    expect(textsOf(questions).map((text) => text?.slice(0, 5))).toEqual(['one', 'xxxxx', 'three']);
    expect((await world.read(shared, 'ben', '?next_token=x')).body.code).toBe('invalid_next_token');
    expect((await world.call('ben', 'get', `/shared/${'x'.repeat(43)}?next_token=x`)).body.code).toBe('share_not_found');
  });

  it.each([
    ['is read by a few at a time, because one message may be long', ''],
    ['looks for its files for a few at a time', '/files/0.0.0'],
  ])('%s', async (_, below) => {
    const place = await world.say('ann', 'one', { file: Buffer.from('A report.') });
    const shared = await world.share('ann', place, { include_attachments: true });
    const { promise: all, resolve: readAll } = Promise.withResolvers<void>();
    const read = SharedConversations.prototype.page;
    let reading = 0;
    const pages = jest.spyOn(SharedConversations.prototype, 'page').mockImplementation(async function (this: SharedConversations, ...page) {
      reading += 1;
      await all;
      return read.apply(this, page);
    });
    try {
      const statuses: number[] = [];
      const answers = Array.from({ length: 40 }, () =>
        world.call('ben', 'get', `${pathOf(shared)}${below}`).then(({ status }) => statuses.push(status)),
      );
      await waitFor(() => statuses.length === 4, { what: 'the refusals of those who would wait too long' });
      expect([reading, statuses]).toEqual([4, [503, 503, 503, 503]]);
      readAll();
      await Promise.all(answers);
      expect(statuses.filter((status) => status === 200).length).toBe(36);
    } finally {
      readAll();
      pages.mockRestore();
    }
  });

  it('has its link in one answer only, even for a repeated request', async () => {
    const place = await world.say('ann', 'Once.');
    const shared = await world.share('ann', place);
    expect(Object.keys(shared)).toContain('url');
    expect(new URL(shared.url).pathname).toMatch(/^\/shared\/[\w-]{43}$/);
    const listed = (await world.call('ann', 'get', `/conversation/${place.conversation_id}/shares`)).body.shares;
    const { url, ...rest } = shared;
    expect(listed).toEqual([rest]);
    expect(await world.filesWith(url.split('/').at(-1)!)).toEqual([]);
  });

  it('is listed for its owner, by conversation and for all', async () => {
    const [one, other] = [await world.say('cat', 'First.'), await world.say('cat', 'Second.')];
    const shares = [await world.share('cat', one), await world.share('cat', other), await world.share('cat', one)];
    const list = async (path: string, userId = 'cat') =>
      ((await world.call(userId, 'get', path)).body.shares as Shared[] | undefined)?.map(({ share_id }) => share_id);
    const ids = shares.map(({ share_id }) => share_id).sort();
    expect((await list('/user/me/shares'))?.toSorted()).toEqual(ids);
    expect(await list(`/conversation/${other.conversation_id}/shares`)).toEqual([shares[1]!.share_id]);
    expect(await list(`/conversation/${one.conversation_id}/shares`, 'ben')).toBeUndefined();
    expect(await list('/user/me/shares', 'ben')).toEqual([]);
  });

  it('is refused after its expiry, beyond the limit, and to others', async () => {
    const place = await world.say('dan', 'Mine.');
    expect((await world.post('dan', place.conversation_id, { expires_at: 1 })).body.code).toBe('expiry_passed');
    expect((await world.post('ben', place.conversation_id)).body.code).toBe('conversation_not_found');
    expect((await world.post('dan', newId())).body.code).toBe('conversation_not_found');
    for (let count = 0; count < MAX_SHARES_OF_CONVERSATION; count++) await world.share('dan', place);
    const { status, body: refused } = await world.post('dan', place.conversation_id);
    expect([status, refused.code]).toEqual([409, 'too_many_shares']);
  });

  it('is refused when it is too large', async () => {
    const { conversation_id } = await world.say('dan', 'a'.repeat(1_000_000));
    await world.say('dan', 'b'.repeat(1_000_000), { conversation_id });
    await world.say('dan', 'c'.repeat(1_000_000), { conversation_id });
    const { status, body } = await world.post('dan', conversation_id);
    expect([status, body.code]).toEqual([413, 'share_too_large']);
  });
});

describe('a share of a conversation with a bot', () => {
  const chunk = { content: 'A refund takes fourteen days.', source_id: 'refunds', page_number: 3 };
  const bot = async () => {
    const bots = new BotsService();
    bots.chunks = [chunk];
    bots.settings = { instruction: CANARY };
    await bots.enter(world.service);
    return world.say('ann', 'How long does a refund take?', { bot_id: botId });
  };

  it('has no sources and no markers of them, unless the owner shares them', async () => {
    const place = await bot();
    const [without, withSources] = [await world.share('ann', place), await world.share('ann', place, { include_sources: true })];
    const plain = (await world.read(without)).body.messages as Message[];
    expect([plain[1]!.used_chunks, textsOf(plain)[1]]).toEqual([undefined, expect.stringMatching(/fourteen days\.(?! \[\^)/)]);
    const sourced = (await world.read(withSources)).body.messages as Message[];
    expect(sourced[1]!.used_chunks).toEqual([
      { content: chunk.content, source: 'refunds.pdf', source_name: 'refunds.pdf', page_number: 3, heading: null, rank: 1 },
    ]);
    expect(textsOf(sourced)[1]).toContain('[^1]');
  });

  it('never has the instruction of the bot', async () => {
    const shared = await world.share('ann', await bot(), { include_sources: true, include_attachments: true });
    expect((await world.read(shared)).text).not.toContain(CANARY);
  });
});

describe('attachments', () => {
  const words = 'Fandangular sales rose.';

  it('are shared if the owner chooses so, and can then be downloaded', async () => {
    const place = await world.say('ann', 'Read this.', { file: Buffer.from(words) });
    const [without, shared] = [await world.share('ann', place), await world.share('ann', place, { include_attachments: true })];
    expect((await world.read(without)).body.messages[0].content).toEqual([{ content_type: 'text', body: 'Read this.' }]);
    const [file] = (await world.read(shared)).body.messages[0].content as Part[];
    expect(file).toEqual({
      content_type: 'attachment',
      file_name: 'report.txt',
      file_id: '0.0.0',
      media_type: expect.stringContaining('text/plain'),
      size: words.length,
    });
    const download = (of: Shared, id = '0.0.0', userId: string | null = 'ben') =>
      world
        .call(userId, 'get', `${pathOf(of)}/files/${id}`)
        .buffer(true)
        .parse((response, done) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)));
        });
    const { status, body, headers } = await download(shared);
    expect([status, String(body)]).toEqual([200, words]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' });
    expect(headers['content-disposition']).toContain('attachment');
    const statuses = [
      await download(without),
      await download(shared, '0.0.1'),
      await download(shared, '9.0.0'),
      await download(shared, 'x'),
      await download(shared, '0.0.0', null),
    ];
    expect(statuses.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
    await world.revoke('ann', shared);
    expect((await download(shared)).status).toBe(404);
    expect(await world.filesWith(words)).toEqual([]);
  });

  it('take no turns of other readers while they are downloaded', async () => {
    const shared = await world.share('ann', await world.say('ann', 'Read this.', { file: Buffer.from(words) }), {
      include_attachments: true,
    });
    const bodies: PassThrough[] = [];
    const opened = jest.spyOn(MessageFiles.prototype, 'open').mockImplementation(async () => {
      const body = new PassThrough();
      bodies.push(body);
      return body;
    });
    try {
      const downloads = Array.from({ length: 8 }, () =>
        world.call('ben', 'get', `${pathOf(shared)}/files/0.0.0`).then(({ status }) => status),
      );
      await waitFor(() => bodies.length === 8, { what: 'the downloads' });
      expect((await world.read(shared)).status).toBe(200);
      for (const body of bodies) body.end(words);
      expect(await Promise.all(downloads)).toEqual(Array(8).fill(200));
    } finally {
      for (const body of bodies) body.destroy();
      opened.mockRestore();
    }
  });
});
