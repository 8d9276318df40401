import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { ObjectStore } from '@parlance/object-store';
import { Vault } from '@parlance/privacy';
import OpenAI, { toFile } from 'openai';
import { RemoveFilesOfCallsWhenTheyExpire } from '../../../src/policies/remove-files-of-calls-when-they-expire.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';

const DAY = 86_400_000;
const text = '{"custom_id":"a"}\n{"custom_id":"b"}\n';

/** A client of OpenAI for a caller of the service. */
export function openAiOf({ ask }: CallsWorld, headers: Record<string, string>): OpenAI {
  const fetching = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const sent = new Request(url, init);
    const body = sent.method === 'GET' ? null : Buffer.from(await sent.arrayBuffer());
    const { pathname, search } = new URL(sent.url);
    const type = sent.headers.get('content-type');
    const its = { ...headers, ...(type !== null && { 'content-type': type }) };
    const answer = await ask(pathname + search, its, body, sent.method);
    return new Response(answer.text, { status: answer.status, headers: { 'content-type': String(answer.headers['content-type']) } });
  };
  return new OpenAI({ baseURL: 'http://service.test/v1', apiKey: 'unused', fetch: fetching, maxRetries: 0 });
}

export function storedFiles(start: () => CallsWorld): void {
  describe('files of programs', () => {
    let world: CallsWorld;
    let openai: OpenAI;
    let headers: Record<string, string>;
    const userId = newId();
    beforeAll(() => {
      world = start();
      headers = world.service.asModelsToken(newId(), userId);
      openai = openAiOf(world, headers);
    });

    const upload = async (content: string | Uint8Array = text, name = 'requests.jsonl') =>
      openai.files.create({ file: await toFile(Buffer.from(content), name), purpose: 'batch' });

    it('are stored, listed, read and deleted with the client of OpenAI', async () => {
      const file = await upload(text, 'Anträge "1".jsonl');
      expect(file).toEqual({
        id: expect.stringMatching(/^file-/),
        object: 'file',
        bytes: text.length,
        created_at: expect.any(Number),
        expires_at: file.created_at + 30 * 86_400,
        filename: 'Anträge "1".jsonl',
        purpose: 'batch',
        status: 'processed',
      });
      expect(await openai.files.retrieve(file.id)).toEqual(file);
      expect(await (await openai.files.content(file.id)).text()).toBe(text);
      expect((await openai.files.list()).data).toEqual([file]);
      expect(await openai.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
      await expect(openai.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
      await expect(openai.files.content(file.id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
      await expect(openai.files.delete(file.id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    });

    it('are sealed in the object store, and their bytes are removed with them', async () => {
      const { id } = await upload('a secret '.repeat(20_000));
      const key = `gateway-files/${userId}/${id.slice('file-'.length)}`;
      const objects = await world.service.host.objects.store();
      const { body } = (await objects.get(key))!;
      expect(Buffer.concat(await body.toArray()).includes('a secret')).toBe(false);
      expect(await (await openai.files.content(id)).text()).toBe('a secret '.repeat(20_000));
      await openai.files.delete(id);
      expect(await objects.get(key)).toBeNull();
    });

    it('are listed in pages, in both orders and by purpose', async () => {
      const ids = [(await upload()).id, (await upload()).id, (await upload()).id];
      const first = await openai.files.list({ limit: 2, order: 'asc' });
      expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
      const all: string[] = [];
      for await (const { id } of openai.files.list({ limit: 2 })) all.push(id);
      expect(all).toEqual(ids.toReversed());
      expect((await openai.files.list({ purpose: 'batch_output' })).data).toEqual([]);
      // A client may delete the files while it reads the pages.
      for await (const { id } of openai.files.list({ limit: 1 })) await openai.files.delete(id);
      expect((await openai.files.list()).data).toEqual([]);
    });

    it('are all in the pages although a deletion broke off after the key was destroyed', async () => {
      const ids = [(await upload()).id, (await upload()).id, (await upload()).id, (await upload()).id];
      for (const id of ids.slice(1, 3)) await world.service.part(Vault).shred(`gateway-file:${id.slice('file-'.length)}`);
      const first = await openai.files.list({ limit: 1, order: 'asc' });
      expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[0]], true]);
      const second = await openai.files.list({ limit: 1, order: 'asc', after: ids[0]! });
      expect([second.data.map(({ id }) => id), second.has_more]).toEqual([[ids[3]], false]);
      for (const id of ids) await openai.files.delete(id);
    });

    it('are counted to their user until the object store has them', async () => {
      const objects: ObjectStore = await world.service.host.objects.store();
      const put = objects.put.bind(objects);
      const [reached, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = jest.spyOn(objects, 'put').mockImplementation(async (...its) => {
        reached.resolve();
        await stored.promise;
        return put(...its);
      });
      const large = Buffer.alloc(20 * 1024 * 1024, 'x');
      const first = upload(large);
      await reached.promise;
      await expect(upload(large)).rejects.toMatchObject({ status: 503, code: 'busy' });
      stored.resolve();
      const { id } = await first;
      slow.mockRestore();
      const again = await upload(large);
      for (const each of [id, again.id]) await openai.files.delete(each);
    });

    it('are hidden from other users', async () => {
      const { id } = await upload();
      const other = openAiOf(world, world.service.asModelsToken(newId(), newId()));
      await expect(other.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
      await expect(other.files.content(id)).rejects.toMatchObject({ status: 404 });
      await expect(other.files.delete(id)).rejects.toMatchObject({ status: 404 });
      expect((await other.files.list()).data).toEqual([]);
      await openai.files.delete(id);
    });

    it('are refused for another purpose, without bytes, with unknown fields, and for sessions', async () => {
      const file = await toFile(Buffer.from(text), 'a.jsonl');
      await expect(openai.files.create({ file, purpose: 'vision' })).rejects.toMatchObject({
        status: 400,
        code: 'invalid_body',
        param: 'purpose',
      });
      await expect(upload('')).rejects.toMatchObject({ status: 400, code: 'invalid_body', param: 'file' });
      const short = { anchor: 'created_at', seconds: 60 } as const;
      await expect(openai.files.create({ file, purpose: 'batch', expires_after: short })).rejects.toMatchObject({
        code: 'invalid_body',
        param: 'expires_after[seconds]',
      });
      await expect(openai.files.retrieve('file-1')).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
      expect(errorOf(await world.ask('/v1/files', world.service.as(userId)))).toEqual([403, 'models_token_needed']);
      expect(errorOf(await world.ask('/v1/files?after=x', headers))).toEqual([400, 'invalid_query']);
    });

    it('are removed when they expire, and the bytes of interrupted uploads an hour later', async () => {
      const file = await toFile(Buffer.from(text), 'a.jsonl');
      const { id } = await openai.files.create({ file, purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 3_600 } });
      const kept = await upload();
      const objects: ObjectStore = await world.service.host.objects.store();
      const left = `gateway-files/${userId}/${newId()}`;
      await objects.put(left, Buffer.from('x'), { contentType: 'application/octet-stream' });
      const policy = world.service.part(RemoveFilesOfCallsWhenTheyExpire);
      await policy.remove();
      await policy.sweep();
      expect([(await openai.files.retrieve(id)).id, await objects.stat(left)]).toEqual([id, expect.anything()]);
      world.service.later(DAY);
      await policy.remove();
      // The first sweep may have to begin again after the last page.
      await policy.sweep();
      await policy.sweep();
      await expect(openai.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
      expect(await objects.stat(left)).toBeNull();
      expect(await (await openai.files.content(kept.id)).text()).toBe(text);
    });

    it('are kept by a hold on their user, also when they expire', async () => {
      const file = await toFile(Buffer.from(text), 'a.jsonl');
      const { id } = await openai.files.create({ file, purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 3_600 } });
      const holdId = newId();
      expect((await world.hold('place', holdId, userId)).status).toBe(204);
      await expect(openai.files.delete(id)).rejects.toMatchObject({ status: 409, code: 'on_hold' });
      world.service.later(DAY);
      const policy = world.service.part(RemoveFilesOfCallsWhenTheyExpire);
      const bytes = async () => (await (await world.service.host.objects.store()).stat(`gateway-files/${userId}/${id.slice(5)}`)) !== null;
      await policy.remove();
      expect(await bytes()).toBe(true);
      await world.hold('end', holdId, userId);
      await policy.remove();
      expect(await bytes()).toBe(false);
    });
  });
}
