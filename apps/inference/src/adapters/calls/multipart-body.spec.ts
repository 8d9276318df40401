import { describe, expect, it } from '@jest/globals';
import { MultipartBody } from './multipart-body.ts';

const TYPE = 'multipart/form-data; boundary=b1';
const field = (name: string, value: string, headers = '') =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`;
const file = field('file', 'RIFF\r\n--b\r\n', '; filename="a \\"b\\".wav"\r\nContent-Type: audio/wav');
const read = (body: string, type: string | undefined = TYPE) => MultipartBody.read(Buffer.from(body), type);
const sentFor = async (body: string, type = TYPE) => Buffer.concat([...(await read(body, type)).partsFor('other-model')]).toString();

describe('a form of a caller', () => {
  it.each([
    ['b1', `${file}${field('model', 'ear')}${field('prompt', '')}--b1--\r\n`],
    ['"b1"', `${field('model', 'ear', '\r\nContent-Type: text/plain; charset=utf-8')}${file}--b1--`],
  ])('reaches the provider as it is, but for the model (boundary=%s)', async (boundary, body) => {
    const type = `multipart/form-data; boundary=${boundary}`;
    const form = await read(body, type);
    expect([form.model, form.contentType, form.file.toString()]).toEqual(['ear', type, 'RIFF\r\n--b\r\n']);
    expect(await sentFor(body, type)).toBe(body.replace('ear', 'other-model'));
  });
  it('is what fetch sends', async () => {
    const form = new FormData();
    form.set('model', 'ear');
    form.set('file', new Blob(['abc'], { type: 'audio/wav' }), 'ä"\n.wav');
    const sent = new Response(form);
    const received = await MultipartBody.read(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type') ?? '');
    expect([received.model, received.file.toString()]).toEqual(['ear', 'abc']);
  });
  it.each([
    ['two models', `${field('model', 'ear')}${field('model', 'other')}--b1--`],
    ['a model with an escaped name', `${field('model', 'ear')}${field('mo\\del', 'other')}--b1--`],
    ['a model in another encoding', `${field('model', 'ear', '\r\nContent-Transfer-Encoding: base64')}--b1--`],
    ['a model in another charset', `${field('model', 'ear', '\r\nContent-Type: text/plain; charset=utf-16')}--b1--`],
    ['a second name', `${field('file', 'x', '; filename=a; name="model"')}${field('model', 'ear')}--b1--`],
    ['a name on a continued line', `${field('model', 'ear')}${field('x', 'other', '\r\n ; name="model"')}--b1--`],
    ['two dispositions', `${field('model', 'ear', '\r\nContent-Disposition: form-data; name="x"')}--b1--`],
    ['lines that end otherwise', `${field('model', 'ear')}--b1--`.replaceAll('\r\n', '\n')],
    ['text before its parts', `hello\r\n${field('model', 'ear')}--b1--`],
    ['text after its parts', `${field('model', 'ear')}--b1--\r\n${field('model', 'other')}--b1--`],
    ['no end', field('model', 'ear')],
    ['too many parts', `${field('model', 'ear')}${field('x', '1').repeat(100)}--b1--`],
    ['a default charset', `${field('_charset_', 'utf-16')}${field('model', 'ear')}--b1--`],
  ])('is refused with %s', async (_, body) => {
    await expect(read(body)).rejects.toEqual(expect.objectContaining({ code: 'malformed_body' }));
  });
  it.each([
    undefined,
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=b2; boundary=b1',
    'multipart/mixed; boundary=b1',
  ])('is refused with the content type %s', async (type) => {
    await expect(MultipartBody.read(Buffer.from(`${field('model', 'ear')}--b1--`), type)).rejects.toEqual(
      expect.objectContaining({ code: 'malformed_body' }),
    );
  });
  it.each([
    ['no model', file],
    ['an empty model', field('model', '')],
    ['a long model', field('model', 'x'.repeat(201))],
    ['a file as its model', field('model', 'ear', '; filename="x"')],
    ['a model in another case', field('model', 'ear') + field('Model', 'other')],
  ])('must name a model (%s)', async (_, body) => {
    await expect(read(`${body}--b1--`)).rejects.toEqual(expect.objectContaining({ code: 'invalid_body' }));
  });
});
