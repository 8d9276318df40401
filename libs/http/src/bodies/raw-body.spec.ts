import { afterAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';
import { BodyLimit, TakesBytes } from '../routes/route-options.ts';
import { BodyBytes, type ReceivedBytes } from './raw-body.ts';

class NoteBody {
  @IsString() text!: string;
}

@Controller('notes')
@Open()
class NotesController {
  @Post('bytes')
  @BodyLimit(20)
  @TakesBytes('application/json', 'application/zip')
  bytes(@BodyBytes() { bytes, mediaType }: ReceivedBytes) {
    return { hex: `${bytes.toString('hex')} ${mediaType}` };
  }

  @Post('json')
  json(@Body() { text }: NoteBody) {
    return { hex: text };
  }
}

@Module({ controllers: [NotesController] })
class Notes {}

const app = await createHttpApplication(Notes, { statements: null, logger: false });
await app.init();
afterAll(() => app.close());

const post = async (path: string, payload: string | Buffer, type = 'application/zip') => {
  const answer = await app.inject({ method: 'POST', url: `/notes/${path}`, headers: { 'content-type': type }, payload });
  return [answer.statusCode, answer.json().hex ?? answer.json().code];
};

describe('a body that a route takes as bytes', () => {
  it('is passed on unchanged, whatever it contains', async () =>
    expect(await post('bytes', Buffer.from([0, 0xff]))).toEqual([201, '00ff application/zip']));
  it('is not parsed even if it is JSON', async () =>
    expect(await post('bytes', '{x', 'Application/JSON; charset=utf-8')).toEqual([201, '7b78 application/json']));
  it('may be empty', async () => expect(await post('bytes', '', 'application/json')).toEqual([201, ' application/json']));
  it('is refused if it is too large', async () => expect(await post('bytes', 'x'.repeat(21))).toEqual([413, 'body_too_large']));
  it('is refused with another content type', async () =>
    expect(await post('bytes', 'a', 'application/yaml')).toEqual([415, 'unsupported_media_type']));
  it('is refused by other routes', async () => expect(await post('json', 'a')).toEqual([415, 'unsupported_media_type']));
  it('does not affect JSON bodies of other routes', async () =>
    expect(await post('json', '{"text":"a"}', 'application/json')).toEqual([201, 'a']));
});
