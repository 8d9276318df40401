import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { MAX_ATTACHMENTS, MAX_IMAGES } from '../src/domain/file-limits.ts';
import { inference } from '../src/service.ts';
import { attachment, image, pdf, png, text } from './files.ts';
import { cutFile } from './cut-file.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}
type Part = ReturnType<typeof text> | ReturnType<typeof image> | ReturnType<typeof attachment>;

describe('the files of a message', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const model = { provider: 'ours', context_window: 100_000, max_output_tokens: 1_000 };
    const models = {
      providers: { ours: { type: 'openai', base_url: provider.url, api_key: 'k' } },
      models: [
        { ...model, id: 'reads', model: 'reads' },
        { ...model, id: 'sees', model: 'sees', capabilities: ['vision', 'documents'] },
      ],
      defaults: { chat: 'reads' },
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await keys.enter(service.host);
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });
  beforeEach(() => void provider.calls.splice(0));

  const call = (userId: string, method: 'get' | 'post' | 'delete', path: string) =>
    request(service.server)[method](path).set(service.as(userId));
  const post = (content: readonly Part[], more: { model?: string; conversation_id?: string } = {}, userId = 'ann') => {
    const { model, conversation_id } = more;
    return call(userId, 'post', '/conversation').send({ conversation_id, message: { content, model } });
  };
  const message = async ({ conversation_id, message_id }: Place, userId = 'ann') =>
    (await call(userId, 'get', `/conversation/${conversation_id}/${message_id}`)).body;
  const replied = async (place: Place, userId = 'ann') => {
    await waitFor(async () => (await message(place, userId)).status !== 'processing', { what: 'the reply' });
    return (await message(place, userId)) as { status: string; message: { parent: string } };
  };
  /** The message of the user with these parts, when its reply has ended. */
  const sent = async (content: readonly Part[], more: { model?: string; conversation_id?: string } = {}, userId = 'ann') => {
    const { status, body } = await post(content, more, userId);
    expect([status, body]).toEqual([202, expect.objectContaining({ conversation_id: expect.any(String) })]);
    const { status: end, message: reply } = await replied(body, userId);
    expect(end).toBe('completed');
    return { reply: body as Place, place: { conversation_id: body.conversation_id, message_id: reply.parent } as Place };
  };
  const download = ({ conversation_id, message_id }: Place, fileId: string, userId = 'ann') =>
    call(userId, 'get', `/conversation/${conversation_id}/${message_id}/files/${fileId}`)
      .buffer(true)
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)));
      });
  const lastPrompt = () => JSON.stringify(provider.calls.at(-1)?.body);
  const stored = async () => (await (await service.host.objects.store()).list('message-files/', { limit: 1_000 })).map(({ key }) => key);

  it('are shown as references, and downloaded unchanged', async () => {
    const [picture, report] = [png(20, 10, 'pixels'), pdf('Sales rose.')];
    const { place } = await sent([text('What is this?'), image(picture), attachment('Q3 report.pdf', report)], { model: 'sees' });
    const { content } = (await message(place)).message;
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(content).toEqual([
      { content_type: 'image', file_id: `${place.message_id}.0`, media_type: 'image/png', size: picture.length, sha256 },
      {
        content_type: 'attachment',
        file_name: 'Q3 report.pdf',
        file_id: `${place.message_id}.1`,
        media_type: 'application/pdf',
        size: report.length,
        sha256,
      },
      { content_type: 'text', body: 'What is this?' },
    ]);
    const { status, headers, body } = await download(place, content[1].file_id);
    expect([status, (body as Buffer).equals(report)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(report.length),
      'content-disposition': `attachment; filename="Q3 report.pdf"; filename*=UTF-8''Q3%20report.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await download(place, content[0].file_id)).headers['content-disposition']).toContain('filename="image.png"');
  });

  it('are passed to a model that accepts them, for the next message too', async () => {
    const [picture, report] = [png(20, 10, 'sky'), pdf('Sales rose.')];
    const { place } = await sent([image(picture), attachment('report.pdf', report)], { model: 'sees' });
    for (const bytes of [picture, report]) expect(lastPrompt()).toContain(bytes.toString('base64'));
    await sent([text('And now?')], { model: 'sees', conversation_id: place.conversation_id });
    for (const bytes of [picture, report]) expect(lastPrompt()).toContain(bytes.toString('base64'));
  });

  it('become text, or a note, for a model that accepts no files', async () => {
    const [picture, report] = [png(20, 10, 'sky'), pdf('Sales rose.')];
    const { place } = await sent([image(picture), attachment('report.pdf', report)], { model: 'sees' });
    await sent([text('And now?')], { model: 'reads', conversation_id: place.conversation_id });
    expect(lastPrompt()).not.toContain(report.toString('base64'));
    expect(lastPrompt()).toContain('An image was left out here');
    expect(lastPrompt()).toContain(JSON.stringify('<attached_file name="report.pdf">\nSales rose.\n</attached_file>').slice(1, -1));
  });

  it('may be the only content of a message, and their names are then the title of its conversation', async () => {
    const { place } = await sent([attachment('Shopping list.md', '# Milk')]);
    expect((await call('ann', 'get', `/conversation/${place.conversation_id}`)).body.title).toBe('Shopping list.md');
    expect(lastPrompt()).toContain('# Milk');
    const { place: pictured } = await sent([image(png())], { model: 'sees' });
    expect((await call('ann', 'get', `/conversation/${pictured.conversation_id}`)).body.title).toBe('New conversation');
  });

  it('are available for another reply to the message', async () => {
    const { place } = await sent([text('Sum it up.'), attachment('notes.txt', 'Dogs are welcome.')]);
    const again = await call('ann', 'post', '/conversation').send({
      conversation_id: place.conversation_id,
      message: { content: [], parent_message_id: place.message_id },
    });
    await replied(again.body);
    expect(provider.calls).toHaveLength(2);
    expect(lastPrompt()).toContain('Dogs are welcome.');
  });

  it('are found only by their owner, and only in their message', async () => {
    const { place, reply } = await sent([attachment('notes.txt', 'Private.')]);
    const { place: other } = await sent([attachment('notes.txt', 'Other.')]);
    const id = `${place.message_id}.0`;
    const statuses = await Promise.all([
      download(place, id),
      download(place, id, 'ben'),
      download(reply, id),
      download(other, id),
      download({ ...place, conversation_id: other.conversation_id }, id),
      download(place, `${id}.text`),
      download(place, '..%2F..%2Fmaster.key'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404, 404]);
    expect(JSON.parse((statuses[1]!.body as Buffer).toString())).toMatchObject({ code: 'file_not_found' });
  });

  it('are reported as damaged once their stored bytes were cut, and the conversation goes on without them', async () => {
    const { place } = await sent([attachment('notes.txt', 'Dogs are welcome.'), text('May I bring my dog?')]);
    for (const key of await stored()) if (key.includes(place.message_id)) await cutFile(service.host, key);
    const { status, body } = await download(place, `${place.message_id}.0`);
    expect([status, JSON.parse((body as Buffer).toString())]).toEqual([404, expect.objectContaining({ code: 'file_damaged' })]);
    await sent([text('And my cat?')], { conversation_id: place.conversation_id });
    expect(lastPrompt()).toContain('And my cat?');
  });

  it('are stored once, however often the request is repeated', async () => {
    const before = await stored();
    const nid = newId();
    const statement = { sub: 'ann', groups: [], sid: 's', kind: 'user', ip: '203.0.113.9', ua: 'test/1', rid: nid, cid: nid, nid } as const;
    const repeated = () => {
      const signed = service.host.statements.sign(statement, Date.now() as never);
      const body = { message: { content: [attachment('notes.txt', 'Once.')] } };
      return request(service.server).post('/conversation').set({ 'x-parlance-caller': signed }).send(body);
    };
    const answers = await Promise.all([repeated(), repeated(), repeated()]);
    answers.push(await repeated());
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
    await replied(answers[0]!.body);
    const added = (await stored()).filter((key) => !before.includes(key));
    expect(added).toHaveLength(2);
    expect(provider.calls).toHaveLength(1);
  });

  it('are not kept if the message is refused', async () => {
    const { place } = await sent([text('Hello.')]);
    const before = await stored();
    provider.behave = () => ({ does: 'hang', after: 'nothing' });
    const { body: running } = await post([text('Wait.')], { conversation_id: place.conversation_id });
    const refused = await post([attachment('notes.txt', 'Too soon.')], { conversation_id: place.conversation_id });
    expect([refused.status, refused.body.code]).toEqual([409, 'reply_in_progress']);
    expect(await stored()).toEqual(before);
    provider.behave = () => ({ does: 'answer', text: ['Hello'], usage: { input: 10, output: 1 } });
    await call('ann', 'post', `/conversation/${running.conversation_id}/${running.message_id}/cancel`);
    await replied(running);
  });

  it.each([
    ['too many images', () => Array.from({ length: MAX_IMAGES + 1 }, () => image(png())), 'message.content'],
    ['too many attachments', () => Array.from({ length: MAX_ATTACHMENTS + 1 }, () => attachment('a.txt', 'x')), 'message.content'],
  ] as const)('are refused: %s', async (_, content, path) => {
    const { status, body } = await post(content(), { model: 'sees' });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_file', path]);
  });

  it('are refused if they are images and the model cannot see', async () => {
    const { status, body } = await post([image(png())], { model: 'reads' });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'images_not_supported', 'message.model']);
    expect(body.detail).toBe('The model reads cannot see images; models that can: sees.');
    const { place } = await sent([image(png())], { model: 'sees' });
    const again = await call('ann', 'post', '/conversation').send({
      conversation_id: place.conversation_id,
      message: { content: [], parent_message_id: place.message_id, model: 'reads' },
    });
    expect([again.status, again.body.code]).toEqual([400, 'images_not_supported']);
  });

  it('are removed with their conversation, and are never on the disk in plain text', async () => {
    const canary = `canary-${newId()}`;
    const all = () => {
      const { path } = service.host.directory!;
      const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(canary)).map(({ name }) => name);
    };
    const content = [image(png(2, 2, canary)), attachment(`${canary}.txt`, canary)];
    const { place } = await sent(content, { model: 'sees' });
    const keptOf = async ({ conversation_id }: Place) => (await stored()).filter((key) => key.includes(conversation_id)).length;
    expect([all(), await keptOf(place)]).toEqual([[], 3]);
    const { body } = await call('ann', 'delete', `/conversation/${place.conversation_id}`);
    expect([body.removed_from.includes('files'), await keptOf(place), all()]).toEqual([true, 0, []]);
    const { place: bens } = await sent(content, { model: 'sees' }, 'ben');
    await keys.erase('ben');
    const erased = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ben' });
    expect([erased.body.removed, await keptOf(bens), all()]).toEqual([{ conversations: 1, messages: 2, files: 2 }, 0, []]);
  });
});
