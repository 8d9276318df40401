import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from '@parlance/client';
import { waitFor } from '@parlance/testing';
import { pdfOf } from './pdf-pages.ts';
import type { Story } from './people-story.ts';

const password = 'correct horse battery';

interface Part {
  readonly source: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly content: string;
  readonly page_number: number | null;
  readonly rank: number;
}

const handbook = pdfOf([
  'The workshop opens at seven in the morning.',
  'Each apprentice has thirty days of leave in a year.',
  'Lost keys are reported to the porter.',
]);

/** Uploads, runs, searches, answers with citations, and the removal of all of it, in every shape of the product. */
export function knowledgeStory(story: () => Story): void {
  const ask: Story['ask'] = (...request) => story().ask(...request);
  const as = (token: string, method: string, path: string, body?: unknown) => ask(method, path, body, { authorization: `Bearer ${token}` });
  const user = async (name: string, ...groups: string[]) => {
    const email = `${name}@example.org`;
    const created = await as(story().adminToken, 'POST', '/admin/users', { email, first_name: 'Ina', last_name: 'Falk', groups, password });
    const signedIn = await ask('POST', '/auth/sign-in', { email, password }, { authorization: '' });
    return { id: created.body.user_id as string, token: signedIn.body.access_token as string };
  };

  describe('knowledge', () => {
    const botId = '01K0KN0W1EDGE0000000000000';
    let owner: { id: string; token: string };
    let reader: { id: string; token: string };
    let site: Server;
    let page: { status: number; text: string; etag: string };
    let reads = 0;
    const addressOf = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;
    const addressFor = (name: string, type: string) =>
      as(owner.token, 'GET', `/bot/${botId}/presigned-url?filename=${encodeURIComponent(name)}&content_type=${encodeURIComponent(type)}`);
    /** Sends a file like a client: to the signed address, without a token. */
    const upload = async (name: string, type: string, content: Buffer | string) => {
      const { status, body } = await addressFor(name, type);
      expect([status, body.method]).toEqual([200, 'PUT']);
      const sent = await fetch(body.url, { method: 'PUT', headers: body.headers, body: new Uint8Array(Buffer.from(content)) });
      return { url: body.url as string, status: sent.status };
    };
    const run = () => as(owner.token, 'GET', `/bot/${botId}/knowledge/sync`);
    const settled = (because?: string) =>
      story().until(
        'the run to end',
        run,
        ({ body }) =>
          body.end_time !== null && ['SUCCEEDED', 'FAILED'].includes(body.sync_status) && (!because || body.because === because),
      );
    const search = async (query: string): Promise<readonly Part[]> => {
      const { status, body } = await as(owner.token, 'POST', `/bot/${botId}/knowledge/search`, { query });
      expect([status, body.search_type]).toEqual([200, 'lexical']);
      return body.results;
    };
    /** Repeats the search, because every edge and replica must find the chunk. */
    const everywhere = async (query: string) => {
      const first: (string | undefined)[] = [];
      for (let n = 0; n <= story().product.urls.length; n++) first.push((await search(query))[0]?.source);
      return [...new Set(first)];
    };
    const actions = async (): Promise<readonly { action_type: string; success: boolean; user_id: string; details: object }[]> =>
      (await as(story().adminToken, 'GET', `/admin/audit-logs/resource/bot/${botId}`)).body.audit_logs;
    const untilActions = (what: string, ...expected: string[]) =>
      story().until(
        what,
        () => as(story().adminToken, 'GET', `/admin/audit-logs/resource/bot/${botId}`),
        ({ body }) => expected.every((each) => body.audit_logs.some(({ action_type }: { action_type: string }) => action_type === each)),
      );

    beforeAll(async () => {
      owner = await user('knowledge-owner', 'CreatingBotAllowed');
      reader = await user('knowledge-reader');
      page = { status: 200, text: 'The canteen serves soup on Thursdays.', etag: '"1"' };
      site = createServer((request, response) => {
        if (request.url === '/robots.txt') return response.writeHead(404).end();
        if (request.headers['if-none-match'] === page.etag) return response.writeHead(304).end();
        reads++;
        response.writeHead(page.status, { 'content-type': 'text/html', etag: page.etag });
        return response.end(`<html><head><title>Canteen</title></head><body><main><p>${page.text}</p></main></body></html>`);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    });

    it('is uploaded to a signed address before the bot is saved', async () => {
      const { status, url } = await upload('handbook.pdf', 'application/pdf', handbook);
      expect(status).toBe(200);
      const isStraight = !story().product.urls.some((edge) => url.startsWith(edge));
      expect(isStraight).toBe(story().product.urls.length > 1);
    });
    it('is read when the bot is saved, and shows its progress', async () => {
      const knowledge = { filenames: ['handbook.pdf'], source_urls: [addressOf('/canteen')] };
      // A chunk for each page.
      const bedrock_knowledge_base = { chunking_configuration: { max_tokens: 14, overlap_percentage: 0 } };
      const saved = await as(owner.token, 'POST', '/bot', { id: botId, title: 'Workshop', knowledge, bedrock_knowledge_base });
      expect([saved.status, saved.body.id]).toEqual([201, botId]);
      const { body } = await settled();
      expect(body).toMatchObject({
        sync_status: 'SUCCEEDED',
        reason: '',
        because: 'saved',
        step: 'complete',
        sources: { files: { done: 1, failed: 0, total: 1 }, pages: { done: 1, failed: 0, total: 1 } },
        chunks_in_service: 4,
      });
      expect(body.steps.map(({ state }: { state: string }) => state)).toEqual(Array(6).fill('done'));
      expect((await as(owner.token, 'GET', `/bot/${botId}`)).body).toMatchObject({ sync_status: 'SUCCEEDED', has_knowledge: true });
    });
    it('is found with its source and page, at every edge and replica', async () => {
      expect((await search('How many days of leave?'))[0]).toMatchObject({
        source: 'handbook.pdf',
        page_number: 2,
        content: 'Each apprentice has thirty days of leave in a year.',
        rank: 1,
      });
      expect((await search('soup'))[0]).toMatchObject({ source: addressOf('/canteen'), source_name: 'Canteen', page_number: null });
      expect(await everywhere('lost keys')).toEqual(['handbook.pdf']);
      const foreign = await as(reader.token, 'POST', `/bot/${botId}/knowledge/search`, { query: 'leave' });
      expect([foreign.status, foreign.body.code]).toEqual([404, 'bot_not_found']);
    });
    it('answers a conversation, with citations and page numbers', async () => {
      await as(owner.token, 'PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'all' });
      const { conversations, api } = story().clientOf(reader.token);
      const message = { content: [{ content_type: 'text' as const, body: 'How many days of leave does an apprentice have?' }] };
      const reply = await conversations.ask({ bot_id: botId, message });
      expect(reply).toMatchObject({ status: 'completed', message: { role: 'assistant' } });
      const { conversation_id } = reply;
      const used = reply.message.used_chunks ?? [];
      const [cited] = used.filter(({ source, page_number }) => source === 'handbook.pdf' && page_number === 2);
      expect(cited).toMatchObject({ content_type: 'text', rank: expect.any(Number), score: expect.any(Number) });
      const text = textOf(reply.message);
      expect(text).toContain(`thirty days of leave in a year. [^${cited!.rank}]`);
      expect(text).toMatch(/handbook\.pdf.*page 2/);
      const path = { conversationId: conversation_id };
      const related = await api.get('/conversation/{conversationId}/related-documents', { path });
      const document = related.related_documents.find(({ source }) => source === 'handbook.pdf')!;
      expect(document).toMatchObject({ source_id: cited!.source_id, source_name: cited!.source_name });
      const { source_id: sourceId } = document;
      const one = await api.get('/conversation/{conversationId}/related-documents/{sourceId}', { path: { ...path, sourceId } });
      expect(one.chunks.map(({ page_number }) => page_number)).toContain(2);
      const foreign = await as(owner.token, 'GET', `/conversation/${conversation_id}/related-documents`);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'conversation_not_found']);
    });
    it('is reused for unchanged sources when all sources are read again', async () => {
      page = { status: 200, text: 'The canteen serves fish on Fridays.', etag: '"2"' };
      const before = reads;
      expect((await as(owner.token, 'POST', `/bot/${botId}/knowledge/sync`)).status).toBe(202);
      const { body } = await settled('requested');
      expect(body).toMatchObject({
        sync_status: 'SUCCEEDED',
        sources: { files: { done: 1, unchanged: 1 }, pages: { done: 1, unchanged: 0 } },
      });
      expect(reads).toBe(before + 1);
      expect((await search('fish'))[0]?.source).toBe(addressOf('/canteen'));
      expect(await search('soup')).toEqual([]);
    });
    it('keeps its index when a source fails, and says which', async () => {
      page = { status: 500, text: 'Broken', etag: '"3"' };
      const first = (await run()).body.execution_id;
      const saved = await as(owner.token, 'PATCH', `/bot/${botId}`, { knowledge: { added_filenames: ['never-sent.txt'] } });
      expect([saved.status, saved.body.knowledge.filenames]).toEqual([200, ['handbook.pdf', 'never-sent.txt']]);
      const { body } = await settled('saved');
      expect(body).toMatchObject({
        sync_status: 'FAILED',
        sources: { files: { failed: 1, total: 2 }, pages: { failed: 1, total: 1 } },
        chunks_in_service: 4,
      });
      expect(body.execution_id).not.toBe(first);
      expect(body.reason).toContain('never-sent.txt: The file was not uploaded.');
      expect(body.reason).toContain(addressOf('/canteen'));
      expect(await everywhere('fish')).toEqual([addressOf('/canteen')]);
    });
    it('loses the files and pages that are removed from the bot', async () => {
      const knowledge = { deleted_filenames: ['never-sent.txt'], source_urls: [] };
      expect((await as(owner.token, 'PATCH', `/bot/${botId}`, { knowledge })).status).toBe(200);
      const { body } = await story().until('the run without the page', run, (answer) => answer.body.sync_status === 'SUCCEEDED');
      expect(body).toMatchObject({ sources: { files: { done: 1, total: 1 }, pages: { total: 0 } }, chunks_in_service: 3 });
      expect(await search('fish')).toEqual([]);
      expect(await everywhere('leave')).toEqual(['handbook.pdf']);
    });
    it('has files that can be removed, unless the bot needs them', async () => {
      expect((await upload('spare.txt', 'text/plain', 'Spare text.')).status).toBe(200);
      const remove = (name: string) => as(owner.token, 'DELETE', `/bot/${botId}/uploaded-file?filename=${name}`);
      expect((await remove('handbook.pdf')).body.code).toBe('file_in_use');
      expect((await remove('spare.txt')).status).toBe(204);
      expect((await remove('spare.txt')).status).toBe(204);
    });
    it('is removed with the bot, and all changes are in the audit log', async () => {
      expect((await as(owner.token, 'DELETE', `/bot/${botId}`)).status).toBe(204);
      const gone = await as(owner.token, 'POST', `/bot/${botId}/knowledge/search`, { query: 'leave' });
      expect([gone.status, gone.body.code]).toEqual([404, 'bot_not_found']);
      await untilActions('the removal of the knowledge', 'remove_knowledge', 'remove_files');
      const entries = (await actions()).filter(({ action_type }) => !/view|visibility|bot$/.test(action_type));
      const countOf = (action: string) => entries.filter(({ action_type, success }) => action_type === action && success).length;
      expect(['upload_file', 'sync_knowledge', 'start_sync', 'complete_sync', 'remove_file'].map(countOf)).toEqual([2, 1, 4, 3, 1]);
      // The file in use was not removed, and a run did not succeed.
      expect(
        entries
          .filter(({ success }) => !success)
          .map(({ action_type }) => action_type)
          .toSorted(),
      ).toEqual(['complete_sync', 'remove_file']);
      const removed = Object.fromEntries(entries.map(({ action_type, details }) => [action_type, details]));
      expect([removed['remove_knowledge'], removed['remove_files']]).toEqual([{ chunks: 3 }, { files: 1 }]);
      expect(JSON.stringify(entries)).not.toContain('handbook');
    });
    it('is removed by an erasure, and is counted in the receipt', async () => {
      const id = '01K0KN0W1EDGE0000000000001';
      const { bots } = story().clientOf(owner.token);
      await bots.upload(id, 'diary.txt', 'text/plain', 'I keep bees behind the workshop in Tarragona.');
      await bots.upload(id, 'unused.txt', 'text/plain', 'No bot has this.');
      await bots.create({ id, title: 'Diary', knowledge: { filenames: ['diary.txt'] } });
      await bots.synced(id);
      const { status, body } = await as(story().adminToken, 'DELETE', `/admin/users/${owner.id}`);
      expect(status).toBe(200);
      const receipt = body.erased.find(({ service }: { service: string }) => service === 'bots');
      // With the file and the chunks of the bot that was deleted before.
      expect(receipt).toMatchObject({ status: 'done', removed: { bots: 1, files: 3, chunks: 4 } });
      const isLeft = (key: string): boolean => [owner.id, id, botId].some((its) => key.includes(its));
      // Another replica may have begun to remove them first.
      await waitFor(async () => !(await story().product.objectKeys()).some(isLeft), { what: 'the objects to be removed' });
    });
  });
}
