import { afterAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';
import { AlsoTakesText, BodyLimit } from '../routes/route-options.ts';

class NoteBody {
  @IsString() yaml!: string;
}

@Controller('notes')
@Open()
class NotesController {
  @Post('text')
  @BodyLimit(20)
  @AlsoTakesText('application/yaml', 'yaml')
  text(@Body() { yaml }: NoteBody) {
    return { yaml };
  }

  @Post('json')
  json(@Body() { yaml }: NoteBody) {
    return { yaml };
  }
}

@Module({ controllers: [NotesController] })
class Notes {}

const app = await createHttpApplication(Notes, { statements: null, logger: false });
await app.init();
afterAll(() => app.close());

const post = async (path: string, payload: string | Buffer, type = 'application/yaml; charset=utf-8') => {
  const answer = await app.inject({ method: 'POST', url: `/notes/${path}`, headers: { 'content-type': type }, payload });
  return [answer.statusCode, answer.json().yaml ?? answer.json().code];
};

describe('a text instead of JSON', () => {
  it('is read as a field of the body', async () => expect(await post('text', 'a: \u00fc')).toEqual([201, 'a: \u00fc']));
  it('does not replace JSON', async () => expect(await post('text', '{"yaml":"x"}', 'application/json')).toEqual([201, 'x']));
  it('is refused by other routes', async () => expect(await post('json', 'a: 1')).toEqual([415, 'unsupported_media_type']));
  it('is refused if it is too large', async () => expect(await post('text', 'x'.repeat(21))).toEqual([413, 'body_too_large']));
  it('is refused if it is not UTF-8', async () => expect(await post('text', Buffer.from([0x61, 0xff]))).toEqual([400, 'malformed_body']));
});
