import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../src/domain/file-limits.ts';
import { inference } from '../src/service.ts';
import { attachment, image, pdf, pdfBomb, png, text } from './files.ts';

/** The head of a ZIP that declares an entry, and ends. */
const ZIP = Buffer.from('PK\u0003\u0004\u0014\u0000\u0000\u0000\u0008\u0000', 'latin1');
const MIB = 1024 * 1024;

describe('a file with wrong content', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const model = { provider: 'ours', context_window: 100_000, max_output_tokens: 1_000 };
    const models = {
      providers: { ours: { type: 'openai', base_url: provider.url, api_key: 'k' } },
      models: [
        { ...model, id: 'sees', model: 'sees', capabilities: ['vision', 'documents'] },
        { ...model, id: 'reads', model: 'reads' },
      ],
      defaults: { chat: 'sees' },
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  const post = (content: readonly object[], model?: string) =>
    request(service.server).post('/conversation').set(service.as('ann')).send({ message: { content, model } });
  const stored = async () => (await (await service.host.objects.store()).list('message-files/', { limit: 10 })).length;

  it.each([
    ['base64 with invalid characters', { ...image(png()), body: 'iVBOR*==' }],
    ['base64 in the alphabet of URLs', { ...image(png()), body: '_-_-' }],
    ['base64 without its padding', { ...image(png()), body: 'iVBORw' }],
    ['a data URL', { ...image(png()), body: `data:image/png;base64,${png().toString('base64')}` }],
    ['a page that is declared as an image', image(Buffer.from('<html><script>alert(1)</script></html>'))],
    ['an SVG', image(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))],
    ['a PDF that is declared as an image', image(pdf('Hello.'))],
    ['the beginning of an image', image(png().subarray(0, 20))],
    ['an image of 50,000 × 50,000 pixels', image(png(50_000, 50_000))],
    ['an image that is a little too wide', image(png(MAX_IMAGE_SIDE + 1, 1))],
    ['an image without a height', image(png(1, 0))],
    ['a program', attachment('letter.docx', Buffer.from('\x7fELF\u0002\u0001\u0001\u0000\u0000\u0000', 'latin1'))],
    ['an image that is declared as a document', attachment('letter.pdf', png())],
    ['an archive that ends at once', attachment('letter.docx', ZIP)],
    ['an archive with trailing data', attachment('book.epub', Buffer.concat([ZIP, Buffer.alloc(1_000, 1)]))],
    ['a PDF that is damaged', attachment('a.pdf', '%PDF-1.7\nnothing')],
    ['only white space', attachment('a.txt', ' \n ')],
  ])('is refused with its path: %s', async (_, part) => {
    const { status, body } = await post([text('Look.'), part]);
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_file',
      [{ path: 'message.content[1].body', message: expect.stringMatching(/^[A-Z].*\.$/) }],
    ]);
    expect(await stored()).toBe(0);
  });

  it.each([
    ['a folder in its name', attachment('../../etc/passwd', 'x'), 'file_name'],
    ['a Windows folder in its name', attachment('..\\x.txt', 'x'), 'file_name'],
    ['a line break in its name', attachment('a\r\nSet-Cookie: b.txt', 'x'), 'file_name'],
    ['no bytes', attachment('a.txt', ''), 'body'],
    ['a type that no image has', image(png(), 'image/svg+xml'), 'media_type'],
    ['too many bytes', image(Buffer.alloc(MAX_IMAGE_BYTES + 3)), 'body'],
    ['an unknown kind', { content_type: 'video', body: 'x' }, 'content_type'],
  ])('is an invalid body with %s', async (_, part, field) => {
    const { status, body } = await post([part]);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_body', `message.content[0].${field}`]);
  });

  it('has the type of its content, whatever it is called', async () => {
    const gif = Buffer.from('GIF89a\u0002\u0000\u0003\u0000\u0000\u0000\u0000', 'latin1');
    const { body } = await post([image(gif, 'image/jpeg'), attachment('letter.docx', pdf('Dear Sir.'))]);
    const url = `/conversation/${body.conversation_id}`;
    const { message_map } = (await request(service.server).get(url).set(service.as('ann'))).body;
    const [question] = Object.values(message_map as Record<string, { role: string; content: object[] }>).filter(
      ({ role }) => role === 'user',
    );
    expect(question!.content).toMatchObject([{ media_type: 'image/gif' }, { media_type: 'application/pdf', file_name: 'letter.docx' }]);
  });

  it('is refused without text for a model that cannot see its pages', async () => {
    expect((await post([attachment('scan.pdf', pdf(''))], 'sees')).status).toBe(202);
    const { status, body } = await post([attachment('scan.pdf', pdf(''))], 'reads');
    expect([status, body.code]).toEqual([400, 'invalid_file']);
  });

  it('is refused when it inflates to far more than its size', async () => {
    const { status, body } = await post([attachment('a.pdf', pdfBomb(400 * MIB))]);
    expect([status, body.code]).toEqual([400, 'invalid_file']);
  }, 60_000);
});
