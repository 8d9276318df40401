import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { BodyLimit, Internal, IsUlid, LongAnswer } from '@parlance/http';
import { IsBase64, Length, MaxLength } from 'class-validator';
import { PageReadings } from '../workflows/page-readings.ts';

/** Characters of the picture of a page. A rendered page has a few hundred thousand. */
const MAX_IMAGE_CHARACTERS = 8 * 1024 * 1024;
/** Characters of the text that a PDF has for a page. */
const MAX_PAGE_TEXT = 50_000;

class PageBody {
  @IsUlid() bot_id!: string;
  @Length(1, 200) user_id!: string;
  @Length(1, 200) model!: string;
  /** A JPEG. */
  @IsBase64() @MaxLength(MAX_IMAGE_CHARACTERS) image!: string;
  @MaxLength(MAX_PAGE_TEXT) text!: string;
}

/** Has a model read pages of a bot's documents for the bots service. */
@Controller('internal/pages')
@Internal()
export class InternalPagesController {
  constructor(private readonly readings: PageReadings) {}

  /** Each call is charged to the user before the answer. */
  @Post('read')
  @HttpCode(200)
  @BodyLimit(MAX_IMAGE_CHARACTERS + 4 * MAX_PAGE_TEXT)
  @LongAnswer()
  async read(@Body() { bot_id: botId, user_id: userId, model, image, text }: PageBody): Promise<{ readonly text: string }> {
    return { text: await this.readings.read({ botId, userId, model, image: Buffer.from(image, 'base64'), text }) };
  }
}
