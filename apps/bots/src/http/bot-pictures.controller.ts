import { Controller, Delete, Get, Headers, Put, Res } from '@nestjs/common';
import { refuse, type Sentence } from '@parlance/decider';
import { imageKind } from '@parlance/documents';
import { Audited, BodyBytes, Caller, etagOf, IdParam, type ReceivedBytes, SignedIn, TakesBytes } from '@parlance/http';
import { Answers, Refuses, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { FileStore } from '../adapters/file-store.ts';
import { BotPictures } from '../workflows/bot-pictures.ts';
import { PrivateBot } from './answers.ts';
import { BotAnswers } from './bot-answers.ts';

/** Browsers run scripts in SVG, so it is not among these. */
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MOST_KIBIBYTES = 64;
const MOST_PIXELS = 512;
/** A picture never changes. An erased one leaves the caches of browsers after this time. */
const CACHED_SECONDS = 86_400;

const pictureNotFound = () => refuse('missing', 'picture_not_found', 'The bot does not have this picture. Read the bot again.');

@Controller('bot/:botId/picture')
export class BotPicturesController {
  constructor(
    private readonly pictures: BotPictures,
    private readonly answers: BotAnswers,
    private readonly files: FileStore,
  ) {}

  @Put()
  @SignedIn()
  @TakesBytes(...TYPES)
  @Takes({}, 'image/png')
  @Audited('configure_bot', 'bot', 'botId')
  @Summary(
    `Give a bot a picture of up to ${MOST_KIBIBYTES} KiB and ${MOST_PIXELS} × ${MOST_PIXELS} pixels. For its owner, its editors and administrators.`,
  )
  @Answers(200, PrivateBot)
  @Refuses('invalid_picture', 400)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('too_many_uploads', 409)
  @Refuses('picture_too_large', 413)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async set(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PrivateBot> {
    const { row } = await this.answers.configurable(botId, caller);
    requirePicture(bytes);
    await this.files.requireAvailable();
    await this.pictures.set(row, caller, bytes, { ifMatch });
    return this.changed(botId, caller, reply);
  }

  @Delete()
  @SignedIn()
  @Audited('configure_bot', 'bot', 'botId')
  @Summary('Remove the picture of a bot. For its owner, its editors and administrators.')
  @Answers(200, PrivateBot)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('too_many_uploads', 409)
  async remove(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PrivateBot> {
    const seen = await this.answers.configurable(botId, caller);
    await this.pictures.remove(seen.row, caller, { ifMatch });
    // A change is in the audit log already.
    if (seen.row.picture === null) await this.answers.recordRead(seen);
    return this.changed(botId, caller, reply);
  }

  @Get(':pictureId')
  @SignedIn()
  @Summary('Download the picture of a bot. A picture never changes: a new one has a new ID.')
  @Answers(200, { type: 'string', contentEncoding: 'binary' }, { mediaType: 'image/*', description: 'A PNG, JPEG or WebP image.' })
  @Refuses('bot_not_found', 404)
  @Refuses('picture_not_found', 404)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async find(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @IdParam('pictureId') pictureId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { row } = await this.answers.seen(botId, caller);
    const picture = row.picture === pictureId ? await this.pictures.find(row) : null;
    if (!picture) throw pictureNotFound();
    void reply
      .status(200)
      .header('content-type', picture.mediaType)
      .header('content-length', String(picture.bytes.length))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', `private, max-age=${CACHED_SECONDS}, immutable`)
      .send(picture.bytes);
  }

  private async changed(botId: string, caller: Caller, reply: FastifyReply): Promise<PrivateBot> {
    const seen = await this.answers.seen(botId, caller);
    reply.header('etag', etagOf(seen.row.version));
    return this.answers.privateBot(seen);
  }
}

/** Throws the refusals `picture_too_large` (too large) and `invalid_picture` (invalid). The type is that of the content, whatever the request says. */
function requirePicture(bytes: Buffer): void {
  if (bytes.length > MOST_KIBIBYTES * 1024)
    throw refuse('too_large', 'picture_too_large', `A picture may have up to ${MOST_KIBIBYTES} KiB. Make it smaller, and send it again.`);
  const kind = imageKind(bytes);
  if (!kind || !TYPES.includes(kind.mediaType)) throw invalidPicture('This is not a PNG, JPEG or WebP image. Choose another one.');
  const { width, height } = kind;
  if (Math.min(width, height) < 1 || Math.max(width, height) > MOST_PIXELS)
    throw invalidPicture(`This image has ${width} × ${height} pixels. Each side may have 1 to ${MOST_PIXELS}.`);
}

const invalidPicture = (message: Sentence) => refuse('invalid', 'invalid_picture', message, { errors: [{ path: '', message }] });
