import { describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import { waitFor } from '@parlance/testing';
import { BotWriter } from '../src/commands/bot-writer.ts';
import { KnowledgeCleanUp } from '../src/workflows/knowledge-clean-up.ts';
import type { Answer, BotsUnderTest, Headers } from './bots-under-test.ts';
import type { KnowledgeUnderTest } from './knowledge-under-test.ts';

/** The beginning of a PNG, up to its size, and further bytes. */
function png(width: number, height: number, more = 'pixels'): Buffer {
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.from(more)]);
}
const gif = Buffer.from('GIF89a\x40\0\x40\0', 'latin1');
const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\0\x40\0', 'latin1');

const DAY = 24 * 3_600_000;

export function describePictures(bots: BotsUnderTest, knowledge: KnowledgeUnderTest): void {
  const [ann, ben, eve] = [newId(), newId(), newId()];
  const admin = () => bots.service.as('root', 'Admin');
  const path = (id: string) => `/bot/${id}/picture`;

  async function put(id: string, payload: Buffer | string, headers: Headers = bots.creator(ann), type = 'image/png'): Promise<Answer> {
    const answer = await bots.app.inject({ method: 'PUT', url: path(id), payload, headers: { ...headers, 'content-type': type } });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }
  async function download(id: string, picture: string, headers: Headers = bots.creator(ann)) {
    const { statusCode, headers: answered, rawPayload } = await bots.app.inject({ method: 'GET', url: `${path(id)}/${picture}`, headers });
    return { status: statusCode, headers: answered, bytes: rawPayload };
  }
  const files = (id: string, owner = ann) => knowledge.keys(`knowledge/${owner}/${id}/`);
  async function picturedBot(owner = ann): Promise<{ id: string; picture: string }> {
    const { id } = await bots.create(owner);
    const { status, body } = await put(id, png(64, 64), bots.creator(owner));
    if (status !== 200) throw new Error(`picture: ${status} ${JSON.stringify(body)}`);
    return { id, picture: body.picture };
  }
  async function cleanUpAfterADay(): Promise<void> {
    bots.service.later(DAY + 60_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-DAY - 60_000);
  }

  describe('the picture of a bot', () => {
    it('is downloaded by those who may see the bot, and by nobody else', async () => {
      const { id, picture } = await picturedBot();
      const statuses = async () => {
        const callers = [bots.creator(ann), bots.service.as(ben), bots.service.as(eve), admin()];
        return Promise.all(callers.map(async (headers) => (await download(id, picture, headers)).status));
      };
      expect(await statuses()).toEqual([200, 404, 404, 404]);
      await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben] });
      expect(await statuses()).toEqual([200, 200, 404, 200]);
      await bots.share(ann, id, 'private');
      expect(await statuses()).toEqual([200, 404, 404, 404]);
    });
    it('has the bytes and the type that were sent, and may be cached by the browser alone', async () => {
      const { id } = await bots.create(ann);
      // The type of the content counts, not that of the request.
      const { body, headers } = await put(id, webp, bots.creator(ann), 'image/jpeg');
      expect([body.version, headers['etag']]).toEqual([2, '"2"']);
      const answer = await download(id, body.picture);
      expect([answer.bytes, answer.headers['content-type']]).toEqual([webp, 'image/webp']);
      expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/);
    });
    it('runs no scripts, even if its bytes are a page too', async () => {
      const { id } = await bots.create(ann);
      const { body } = await put(id, png(64, 64, '<html><script>alert(1)</script>'));
      expect((await download(id, body.picture)).headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    });
    it('is sealed in the store, and named by the lists', async () => {
      const { id, picture } = await picturedBot();
      const [key] = await files(id);
      const stored = await (await knowledge.objects.get(key!))!.body.toArray();
      expect(Buffer.concat(stored).toString()).toMatch(/^s1\.[\w-]+\.[\w-]+$/);
      const { bots: listed } = (await bots.get('/bot?kind=private', bots.creator(ann))).body;
      expect(listed[0]).toMatchObject({ id, picture });
      await bots.share(ann, id, 'all');
      const shown = await bots.ask('POST', '/internal/bots/shown', bots.service.asService('analytics'), { bot_ids: [id] });
      expect(shown.body.bots).toMatchObject([{ id, picture }]);
    });
    it('is set and removed by editors, not by viewers', async () => {
      const { id } = await bots.create(ann);
      await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben, eve], target_editor_user_ids: [ben] });
      expect((await put(id, png(64, 64), bots.service.as(ben))).status).toBe(200);
      const refused = [await put(id, png(64, 64), bots.service.as(eve)), await bots.ask('DELETE', path(id), bots.service.as(eve))];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'not_editor']));
      expect((await bots.ask('DELETE', path(id), bots.service.as(ben))).body.picture).toBeNull();
    });
    it.each([
      ['without bytes', '', 'image/png', 400, 'invalid_picture'],
      ['of another type', gif, 'image/png', 400, 'invalid_picture'],
      ['with scripts', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 400, 'invalid_picture'],
      ['with scripts, as such', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 415, 'unsupported_media_type'],
      ['without pixels', png(0, 64), 'image/png', 400, 'invalid_picture'],
      ['with too many pixels', png(64, 513), 'image/png', 400, 'invalid_picture'],
      ['with too many bytes', png(64, 64, 'x'.repeat(64 * 1024)), 'image/png', 413, 'picture_too_large'],
    ])('is refused %s, and the bot keeps what it has', async (_, content, type, status, code) => {
      const { id, picture } = await picturedBot();
      const answer = await put(id, content, bots.creator(ann), type);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect((await bots.get(`/bot/${id}`, bots.creator(ann))).body).toMatchObject({ picture, version: 2 });
      expect(await files(id)).toHaveLength(1);
    });
    it('replaces an earlier one, whose file is removed', async () => {
      const { id, picture } = await picturedBot();
      const { body } = await put(id, png(512, 512, 'x'.repeat(64 * 1024 - png(512, 512, '').length)));
      expect(await files(id)).toEqual([expect.stringContaining(body.picture)]);
      expect([(await download(id, picture)).status, (await download(id, body.picture)).status]).toEqual([404, 200]);
    });
    it('is removed with its file, and a repeated removal changes nothing', async () => {
      const { id, picture } = await picturedBot();
      const answers = [await bots.ask('DELETE', path(id), bots.creator(ann)), await bots.ask('DELETE', path(id), bots.creator(ann))];
      expect(answers.map(({ status, body }) => [status, body.picture, body.version])).toEqual(answers.map(() => [200, null, 3]));
      expect([await files(id), (await download(id, picture)).status]).toEqual([[], 404]);
    });
    it('is not changed if the client names another version', async () => {
      const { id, picture } = await picturedBot();
      const headers = { ...bots.creator(ann), 'if-match': '"1"' };
      expect([(await put(id, webp, headers)).status, (await bots.ask('DELETE', path(id), headers)).status]).toEqual([412, 412]);
      await cleanUpAfterADay();
      expect([(await files(id)).length, (await download(id, picture)).status]).toEqual([1, 200]);
    });
    it('leaves no file when the bot is deleted, or its owner is erased', async () => {
      const [{ id }, cat] = [await picturedBot(), newId()];
      await bots.ask('DELETE', `/bot/${id}`, bots.creator(ann));
      await waitFor(async () => (await files(id)).length === 0, { what: 'the picture to be removed' });
      await picturedBot(cat);
      const erased = await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: cat });
      expect([erased.body.removed, await knowledge.keys(`knowledge/${cat}/`)]).toMatchObject([{ bots: 1, files: 1 }, []]);
    });
    it('whose request was interrupted is removed by the clean-up, and the one of the bot is kept', async () => {
      const { id, picture } = await picturedBot();
      const killed = jest.spyOn(bots.app.get(BotWriter), 'configure').mockRejectedValueOnce(new Error('killed'));
      expect((await put(id, webp)).status).toBe(503);
      killed.mockRestore();
      expect(await files(id)).toHaveLength(2);
      await cleanUpAfterADay();
      expect(await files(id)).toEqual([expect.stringContaining(picture)]);
    });
    it('that could not be removed is removed by the clean-up', async () => {
      const { id } = await picturedBot();
      await cleanUpAfterADay();
      const down = jest.spyOn(knowledge.objects, 'remove').mockRejectedValueOnce(new StoreUnavailable('no answer'));
      expect((await bots.ask('DELETE', path(id), bots.creator(ann))).status).toBe(200);
      down.mockRestore();
      expect(await files(id)).toHaveLength(1);
      await cleanUpAfterADay();
      expect(await files(id)).toEqual([]);
    });
    it.each(['', 'garbage', 's1.AAAA.AAAA'])(
      'is missing if its file is damaged, and the bot can still be duplicated: %j',
      async (content) => {
        const { id, picture } = await picturedBot();
        const [key] = await files(id);
        await knowledge.objects.put(key!, Buffer.from(content), { contentType: 'application/octet-stream' });
        expect((await download(id, picture)).status).toBe(404);
        const { status, body } = await bots.ask('POST', `/bot/${id}/duplicate`, bots.creator(ann));
        expect([status, body.picture]).toEqual([201, null]);
      },
    );
    it('is not set while the object store is down', async () => {
      const { id } = await bots.create(ann);
      const state = { status: 'down', since: 1, latency_ms: null, bytes: null } as const;
      const down = jest.spyOn(bots.service.host.objects.health!, 'state').mockResolvedValue(state);
      const { status, body } = await put(id, webp);
      down.mockRestore();
      expect([status, body.code, (await bots.get(`/bot/${id}`, bots.creator(ann))).body.version]).toEqual([
        503,
        'object_store_unavailable',
        1,
      ]);
    });
    it('stays when an earlier version is restored, and the history says which version had which', async () => {
      const { id, picture } = await picturedBot();
      const { body } = await put(id, webp);
      const restored = await bots.ask('POST', `/bot/${id}/restore`, bots.creator(ann), { version: 2 });
      expect([restored.body.picture, (await download(id, body.picture)).status]).toEqual([body.picture, 200]);
      const versions = [1, 2, 3, 4].map(
        async (version) => (await bots.get(`/bot/${id}/history/${version}`, bots.creator(ann))).body.picture,
      );
      expect(await Promise.all(versions)).toEqual([null, picture, body.picture, body.picture]);
    });
    it('is copied to a duplicate of the bot, and is not part of an export', async () => {
      const { id } = await picturedBot();
      await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben], target_editor_user_ids: [ben] });
      const { body: copy } = await bots.ask('POST', `/bot/${id}/duplicate`, bots.creator(ben));
      await bots.ask('DELETE', path(id), bots.creator(ann));
      expect((await download(copy.id, copy.picture, bots.creator(ben))).bytes).toEqual(png(64, 64));
      expect(await files(copy.id, ben)).toHaveLength(1);
      expect((await bots.get(`/bot/${copy.id}/export`, bots.creator(ben))).body).not.toContain('picture');
    });
    it('is copied once, and not again if the request is repeated after the copy lost it', async () => {
      const [{ id }, nid] = [await picturedBot(), newId()];
      const statement = {
        sub: ann,
        groups: ['CreatingBotAllowed'],
        sid: 's',
        kind: 'user',
        ip: null,
        ua: null,
        rid: nid,
        cid: nid,
        nid,
      } as const;
      const repeated = () => {
        const signed = bots.service.host.statements.sign(statement, Instant.ofMillis(Date.now()));
        return bots.ask('POST', `/bot/${id}/duplicate`, { 'x-parlance-caller': signed });
      };
      expect((await repeated()).body).toMatchObject({ id: nid, version: 2, picture: expect.any(String) });
      expect((await repeated()).body.version).toBe(2);
      await bots.ask('DELETE', path(nid), bots.creator(ann));
      expect([(await repeated()).body, await files(nid)]).toMatchObject([{ id: nid, version: 3, picture: null }, []]);
    });
  });
}
