import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ExecuteConversation, ExecuteShares } from '../src/commands/aggregates.ts';
import { conversationSubject } from '../src/commands/conversation-subject.ts';
import { MAX_SHARES_OF_CONVERSATION, SNAPSHOT_PAGE_BYTES } from '../src/domain/shares/share-limits.ts';
import { ConversationOf } from '../src/projections/conversations.ts';
import { ShareById, SharedPage } from '../src/projections/shares/shares.ts';
import { BotsService } from './bots-service.ts';
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

let world: SharedWorld;
beforeAll(async () => {
  world = await SharedWorld.start();
});
afterAll(() => world.service.stop());

const read = (shared: Shared, userId: string | null = 'ben', query = '') => world.call(userId, 'get', `${pathOf(shared)}${query}`);
const textsOf = (messages: readonly Message[]) => messages.map(({ content }) => content.find(({ body }) => body !== undefined)?.body);

describe('a shared conversation', () => {
  it('is what was shown when it was shared, without what followed and without other branches', async () => {
    const first = await world.say('ann', 'Why is the sky blue?');
    const { conversation_id } = first;
    await world.say('ann', 'The branch that is left.', { conversation_id });
    await world.say('ann', 'And the sea?', { conversation_id, parent: first.message_id });
    const shared = await world.share('ann', first);
    await world.say('ann', 'Said too late.', { conversation_id });
    const { status, body, headers } = await read(shared);
    expect([status, body.title, body.next_token]).toEqual([200, 'Why is the sky blue?', null]);
    const [question, , next] = textsOf(body.messages);
    expect([body.messages.length, question, next]).toEqual([4, 'Why is the sky blue?', 'And the sea?']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    for (const hidden of ['ann', conversation_id, shared.share_id]) expect(JSON.stringify(body)).not.toContain(`"${hidden}"`);
  });

  it('is read in pages by their number and their size', async () => {
    const { conversation_id } = await world.say('ann', 'one');
    await world.say('ann', 'x'.repeat(SNAPSHOT_PAGE_BYTES), { conversation_id });
    await world.say('ann', 'three', { conversation_id });
    const shared = await world.share('ann', { conversation_id });
    const pages: Message[][] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { body } = await read(shared, 'ben', query);
      pages.push(body.messages);
      query = body.next_token === null ? '' : `?limit=2&next_token=${body.next_token}`;
    }
    expect(pages.map(({ length }) => length).every((length) => length >= 1 && length <= 2)).toBe(true);
    expect(pages.length).toBeGreaterThanOrEqual(4);
    const questions = pages.flat().filter(({ role }) => role === 'user');
    expect(textsOf(questions).map((text) => text?.slice(0, 5))).toEqual(['one', 'xxxxx', 'three']);
    expect((await read(shared, 'ben', '?next_token=x')).body.code).toBe('invalid_next_token');
    expect((await world.call('ben', 'get', `/shared/${'x'.repeat(43)}?next_token=x`)).body.code).toBe('share_not_found');
  });

  it('has its link in one answer only, also for a repeated request', async () => {
    const place = await world.say('ann', 'Once.');
    const shared = await world.share('ann', place);
    expect(Object.keys(shared)).toContain('url');
    expect(new URL(shared.url).pathname).toMatch(/^\/shared\/[\w-]{43}$/);
    const listed = (await world.call('ann', 'get', `/conversation/${place.conversation_id}/shares`)).body.shares;
    const { url, ...rest } = shared;
    expect(listed).toEqual([rest]);
    expect(await world.filesWith(url.split('/').at(-1)!)).toEqual([]);
  });

  it('is listed for its owner, of one conversation and of all', async () => {
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

  it('is refused behind its end, in too large a number, and to others', async () => {
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
    const plain = (await read(without)).body.messages as Message[];
    expect([plain[1]!.used_chunks, textsOf(plain)[1]]).toEqual([undefined, expect.stringMatching(/fourteen days\.(?! \[\^)/)]);
    const sourced = (await read(withSources)).body.messages as Message[];
    expect(sourced[1]!.used_chunks).toEqual([
      { content: chunk.content, source: 'refunds.pdf', source_name: 'refunds.pdf', page_number: 3, heading: null, rank: 1 },
    ]);
    expect(textsOf(sourced)[1]).toContain('[^1]');
  });

  it('never has the instruction of the bot', async () => {
    const shared = await world.share('ann', await bot(), { include_sources: true, include_attachments: true });
    expect((await read(shared)).text).not.toContain(CANARY);
  });
});

describe('attachments', () => {
  const words = 'Fandangular sales rose.';

  it('are shared when the owner says so, and can be downloaded then', async () => {
    const place = await world.say('ann', 'Read this.', { file: Buffer.from(words) });
    const [without, shared] = [await world.share('ann', place), await world.share('ann', place, { include_attachments: true })];
    expect((await read(without)).body.messages[0].content).toEqual([{ content_type: 'text', body: 'Read this.' }]);
    const [file] = (await read(shared)).body.messages[0].content as Part[];
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
});

describe('when a share ends', () => {
  const words = 'Zephyrolith bramblewick';
  const sealedOf = async ({ share_id }: Shared) => (await world.buses.queries.execute(new SharedPage(share_id, 0))) as Sealed;
  const opens = async (sealed: Sealed) => (await world.buses.vault.open(sealed)) !== null;

  it('by its owner, its key is destroyed, its rows go, and no file has its text', async () => {
    const place = await world.say('eve', words);
    const shared = await world.share('eve', place);
    const sealed = await sealedOf(shared);
    expect(await opens(sealed)).toBe(true);
    expect((await world.revoke('eve', shared)).status).toBe(204);
    expect([await opens(sealed), await sealedOf(shared), await world.buses.queries.execute(new ShareById(shared.share_id))]).toEqual([
      false,
      null,
      null,
    ]);
    expect([(await read(shared)).status, (await world.revoke('eve', shared)).body.code]).toEqual([404, 'share_not_found']);
    expect(await world.filesWith(words)).toEqual([]);
    expect((await world.call('eve', 'get', `/conversation/${place.conversation_id}`)).status).toBe(200);
  });

  it('by a revocation that breaks off, it is in no list, and its key is destroyed later', async () => {
    const shared = await world.share('oda', await world.say('oda', words));
    const sealed = await sealedOf(shared);
    // What is done of a revocation when the process dies in its middle.
    await world.buses.commands.execute(new ExecuteShares('oda', { type: 'Revoke', shareId: shared.share_id, by: 'owner' }));
    expect([(await read(shared)).status, (await world.call('oda', 'get', '/user/me/shares')).body.shares]).toEqual([404, []]);
    await waitFor(async () => !(await opens(sealed)), { what: 'the end of the key' });
  });

  it('by its owner, it is in no list also when its key cannot be destroyed at once', async () => {
    const shared = await world.share('pia', await world.say('pia', words));
    const sealed = await sealedOf(shared);
    const broken = jest.spyOn(world.buses.vault, 'shred').mockRejectedValueOnce(new Error('the store of keys is down'));
    expect((await world.revoke('pia', shared)).status).toBe(204);
    expect([(await read(shared)).status, (await world.call('pia', 'get', '/user/me/shares')).body.shares]).toEqual([404, []]);
    await waitFor(async () => !(await opens(sealed)), { what: 'the end of the key' });
    broken.mockRestore();
  });

  it('is not shared again by a repeated request, which gets an answer that the document has', async () => {
    const { conversation_id } = await world.say('quy', 'Once more.');
    const found = await world.buses.queries.execute(new ConversationOf(conversation_id, 'quy'));
    const wanted = { audience: 'signed_in', expiresAt: null, attachments: false, sources: false } as const;
    const shareId = newId();
    await world.sharing.share(found!.row, 'Once more.', shareId, wanted);
    // Also between the end of a share and the end of its key.
    await world.buses.commands.execute(new ExecuteShares('quy', { type: 'Revoke', shareId, by: 'owner' }));
    const again = () => world.sharing.share(found!.row, 'Once more.', shareId, wanted);
    await expect(again()).rejects.toMatchObject({ code: 'share_not_found' });
    await world.sharing.destroyKey('quy', shareId);
    await expect(again()).rejects.toMatchObject({ code: 'share_not_found' });
    expect((await world.sharing.stateOf('quy')).live).toEqual({});
    const { paths } = (await request(world.service.server).get('/internal/openapi.json').set(world.service.asService('edge'))).body;
    const { responses } = paths['/conversation/{conversationId}/shares'].post;
    expect(JSON.stringify(responses[404])).toContain('share_not_found');
  });

  it('by another user, or by another conversation of the owner, it stays', async () => {
    const shared = await world.share('eve', await world.say('eve', 'Stays.'));
    const other = await world.say('eve', 'Other.');
    expect((await world.revoke('ben', shared)).body.code).toBe('conversation_not_found');
    expect((await world.revoke('eve', { ...shared, ...other })).body.code).toBe('share_not_found');
    expect((await read(shared)).status).toBe(200);
  });

  it('by an administrator, who sees no content and no link', async () => {
    const shared = await world.share('fay', await world.say('fay', words));
    const admin = (method: 'get' | 'delete', path: string, ...groups: string[]) => world.call('root', method, path, ...groups);
    const { body, text } = await admin('get', '/admin/shares?limit=1000', 'Admin');
    const listed = (body.shares as Shared[]).find(({ share_id }) => share_id === shared.share_id);
    expect(listed).toMatchObject({ user_id: 'fay', audience: 'signed_in', messages: 2 });
    for (const secret of [words, shared.url.split('/').at(-1)!]) expect(text).not.toContain(secret);
    expect((await admin('get', '/admin/shares')).status).toBe(403);
    expect((await admin('delete', `/admin/shares/${shared.share_id}`)).status).toBe(403);
    expect((await admin('delete', `/admin/shares/${newId()}`, 'Admin')).body.code).toBe('share_not_found');
    expect((await admin('delete', `/admin/shares/${shared.share_id}`, 'Admin')).status).toBe(204);
    expect((await read(shared)).status).toBe(404);
  });

  it('by its time, it is removed without being asked for', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3_600;
    const shared = await world.share('gus', await world.say('gus', 'For an hour.'), { expires_at: inAnHour });
    expect((await read(shared)).body.expires_at).toBe(inAnHour);
    world.service.later(3_601_000);
    expect((await read(shared)).status).toBe(404);
    expect((await world.call('gus', 'get', '/user/me/shares')).body.shares).toEqual([]);
    await waitFor(async () => (await world.buses.queries.execute(new ShareById(shared.share_id))) === null, {
      what: 'the end of the share',
    });
    expect((await world.told('gus')).map(({ data }) => data['reason'])).toEqual([undefined, 'expired']);
    world.service.later(-3_601_000);
  });

  it('with its conversation, neither key is left', async () => {
    const place = await world.say('hal', words);
    const [shared, other] = [await world.share('hal', place), await world.share('hal', await world.say('hal', 'Other.'))];
    const sealed = await sealedOf(shared);
    const { body } = await world.call('hal', 'delete', `/conversation/${place.conversation_id}`);
    expect(body.removed_from).toContain('shares');
    expect([await opens(sealed), (await read(shared)).status, (await read(other)).status]).toEqual([false, 404, 200]);
    expect((await world.told('hal')).at(-1)!.data).toMatchObject({ share_id: shared.share_id, reason: 'conversation_deleted' });
    expect(await world.filesWith(words)).toEqual([]);
  });

  it('with its owner, it is in the receipt, and nothing is shared afterwards', async () => {
    const place = await world.say('ida', words);
    const shared = await world.share('ida', place, { audience: 'public' });
    expect(await world.erase('ida')).toMatchObject({ conversations: 1, shares: 1 });
    expect(await world.erase('ida')).toMatchObject({ shares: 1 });
    expect([(await read(shared)).status, (await read(shared, null)).status]).toEqual([404, 404]);
    expect((await world.told('ida')).at(-1)!.data).toMatchObject({ share_id: shared.share_id, reason: 'user_erased' });
    expect(await world.filesWith(words)).toEqual([]);
  });

  it('says so without content, and nothing of the link', async () => {
    const place = await world.say('jan', words);
    const shared = await world.share('jan', place, { audience: 'public', include_sources: true });
    await world.revoke('jan', shared);
    const { share_id } = shared;
    const its = { share_id, conversation_id: place.conversation_id, user_id: 'jan', audience: 'public' };
    expect(await world.told('jan')).toEqual([
      {
        type: 'parlance.inference.conversation-shared.v1',
        data: { ...its, bot_id: null, expires_at: null, include_attachments: false, include_sources: true, messages: 2 },
      },
      { type: 'parlance.inference.share-revoked.v1', data: { ...its, reason: 'owner' } },
    ]);
  });
});

describe('reading and revoking at the same time', () => {
  it('shows all of a page or nothing, and nothing once the revocation is answered', async () => {
    const place = await world.say('kim', 'Now or never.');
    for (let round = 0; round < 5; round++) {
      const shared = await world.share('kim', place);
      const reading = Array.from({ length: 8 }, () => read(shared));
      const revoking = [world.revoke('kim', shared), world.revoke('kim', shared)];
      const answers = await Promise.all(reading);
      for (const { status, body } of answers)
        expect(status === 200 ? body.messages.length : body.code).toBe(status === 200 ? 2 : 'share_not_found');
      const ended = (await Promise.all(revoking)).map(({ status }) => status);
      expect(ended).toContain(204);
      expect((await Promise.all(Array.from({ length: 4 }, () => read(shared)))).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
  });

  it('ends a share that is appended after the deletion of its conversation was recorded', async () => {
    const { conversation_id } = await world.say('max', 'Going.');
    const found = await world.buses.queries.execute(new ConversationOf(conversation_id, 'max'));
    await world.buses.commands.execute(new ExecuteConversation(conversation_id, { type: 'Delete', userId: 'max' }));
    const wanted = { audience: 'signed_in', expiresAt: null, attachments: false, sources: false } as const;
    const sharing = world.sharing.share(found!.row, 'Going.', newId(), wanted);
    await expect(sharing).rejects.toMatchObject({ code: 'conversation_not_found' });
    expect((await world.sharing.stateOf('max')).live).toEqual({});
    expect((await world.told('max')).map(({ data }) => data['reason'])).toEqual([undefined, 'conversation_deleted']);
  });

  it('is not shown once the deletion of its conversation is recorded', async () => {
    const place = await world.say('rex', 'Going.');
    const shared = await world.share('rex', place);
    await world.buses.commands.execute(new ExecuteConversation(place.conversation_id, { type: 'Delete', userId: 'rex' }));
    expect((await read(shared)).body.code).toBe('share_not_found');
  });

  it('needs the key of the conversation too, so that a deletion which broke off leaves nothing to read', async () => {
    const place = await world.say('ned', 'Two keys.');
    const shared = await world.share('ned', place);
    expect((await read(shared)).status).toBe(200);
    await world.buses.vault.shred(conversationSubject(place.conversation_id, 'ned').id);
    expect((await read(shared)).body.code).toBe('share_not_found');
  });

  it('leaves nothing to read when a conversation is shared while it is deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const { conversation_id } = await world.say('lea', 'Going.');
      const [created] = await Promise.all([
        world.post('lea', conversation_id),
        world.call('lea', 'delete', `/conversation/${conversation_id}`),
      ]);
      expect([201, 404]).toContain(created.status);
      if (created.status === 201) expect((await read(created.body as Shared)).status).toBe(404);
      expect((await world.call('lea', 'get', '/user/me/shares')).body.shares).toEqual([]);
    }
  });
});
