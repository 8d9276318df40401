import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Caller, IdParam, SignedIn } from '@parlance/http';
import { disposition } from '@parlance/object-store';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { MessageFiles } from '../adapters/files/message-files.ts';
import { OwnedMessage } from '../projections/messages/message-by-id.ts';
import { ownerKeyOf } from './caller-as-owner.ts';
import { fileDamaged } from './file-damaged.ts';

const fileNotFound = () => refuse('missing', 'file_not_found', 'There is no such file, or it is not yours to see.');

const fileRemoved = () => refuse('missing', 'file_removed', 'A retention rule has removed this file. Its message was kept.');

const IMAGE_FILE_NAME = 'image';

@Controller('conversation/:conversationId/:messageId/files/:fileId')
export class MessageFilesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly files: MessageFiles,
  ) {}

  @Get()
  @SignedIn()
  @Summary(
    'Download an image or an attachment of a message. Its type is detected from the content, and browsers never render it as a page.',
  )
  @Answers(200, { type: 'string', contentEncoding: 'binary' }, { mediaType: '*/*', description: 'The bytes of the file.' })
  @Refuses('file_not_found', 404)
  @Refuses('file_removed', 404)
  @Refuses('file_damaged', 404)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async file(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
    @Param('fileId') fileId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const found = await this.queries.execute(new OwnedMessage(conversationId, messageId, ownerKeyOf(caller)));
    const file = found?.message.files?.find(({ id }) => id === fileId);
    if (file && found?.message.files_removed) throw fileRemoved();
    const details = file && (await this.files.details(file));
    const body = details && (await this.files.open(conversationId, file, details).catch(fileDamaged));
    if (!body) throw fileNotFound();
    void reply
      .status(200)
      .header('content-type', file.mediaType)
      .header('content-length', String(file.bytes))
      .header('content-disposition', disposition('', details.name ?? `${IMAGE_FILE_NAME}.${file.mediaType.slice('image/'.length)}`))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-store')
      .send(body);
  }
}
