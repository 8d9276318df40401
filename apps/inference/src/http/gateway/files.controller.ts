import { Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { BodyBytes, BodyLimit, Caller, FreshId, Limit, LongAnswer, type ReceivedBytes, TakesBytes } from '@parlance/http';
import { disposition } from '@parlance/object-store';
import { Answers, Refuses, Summary, Takes } from '@parlance/openapi';
import { IsIn, IsOptional, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FILE_PURPOSES, type FilePurpose } from '../../domain/gateway/gateway-files.ts';
import { MAX_GATEWAY_FILE_BYTES } from '../../domain/gateway/gateway-limits.ts';
import { type GatewayFileRow, GatewayFilesOf } from '../../projections/gateway/gateway-files.ts';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { gatewayFileNotFound, StoredFiles } from '../../workflows/gateway/stored-files.ts';
import { ModelApi } from '../calls/call-routes.ts';
import { fileDamaged } from '../file-damaged.ts';
import {
  DELETED_FILE,
  FILE,
  FILE_LIST,
  fileAnswer,
  type FileAnswer,
  fileIdOf,
  idInAfter,
  idInFileId,
  pageIn,
  UPLOAD_FORM,
} from './file-answers.ts';
import { uploadIn } from './upload-form.ts';

/** The fields of the form besides its file. */
const FORM_BYTES = 64 * 1024;

class FilesQuery {
  @Limit() limit: number = 100;
  /** The last file of the page before. */
  @IsOptional() @Length(1, 64) after?: string;
  @IsOptional() @IsIn(['asc', 'desc']) order?: string;
  @IsOptional() @IsIn(FILE_PURPOSES) purpose?: string;
}

/** Files in OpenAI's format, for programs with a token. They belong to the owner of the token. */
@ModelApi('v1/files')
export class FilesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly files: StoredFiles,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesBytes('multipart/form-data')
  @BodyLimit(MAX_GATEWAY_FILE_BYTES + FORM_BYTES)
  @LongAnswer()
  @Summary('Store a file with the requests of a batch. It is encrypted, and removed after 30 days or when the upload says.')
  @Takes(UPLOAD_FORM, 'multipart/form-data')
  @Answers(200, FILE)
  @Refuses('models_token_needed', 403)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_files', 409)
  @Refuses('files_too_large', 409)
  @Refuses('busy', 503)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async create(
    @Caller() caller: Caller,
    @FreshId() fileId: string,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() { headers, server }: FastifyRequest,
  ): Promise<FileAnswer> {
    const { userId } = modelCaller(caller);
    // The store may be slow, so many uploads may wait for it.
    return server.bodies.hold(bytes.length, userId, async () => {
      const upload = await uploadIn(bytes, headers['content-type']);
      return fileAnswer(await this.files.add({ fileId, userId, purpose: 'batch', ...upload }), upload.name);
    });
  }

  @Get()
  @Summary('List your files, the newest first.')
  @Answers(200, FILE_LIST)
  @Refuses('models_token_needed', 403)
  async list(@Caller() caller: Caller, @Query() { limit, after, order = 'desc', purpose }: FilesQuery) {
    const { userId } = modelCaller(caller);
    const listing = { limit, order: order as 'asc' | 'desc', purpose: (purpose as FilePurpose | undefined) ?? null };
    const found: FileAnswer[] = [];
    let next = idInAfter(after);
    // A file whose key is destroyed is not shown, and its row is removed soon. The page is then filled from the next rows.
    for (let isLast = false; !isLast && found.length <= limit;) {
      const rows: readonly GatewayFileRow[] = await this.queries.execute(new GatewayFilesOf(userId, { ...listing, after: next }));
      for (const row of rows) {
        if (isTurnOver()) await nextTurn();
        const name = await this.files.nameOf(row);
        if (name !== null) found.push(fileAnswer(row, name));
      }
      next = rows.at(-1)?.file_id ?? null;
      isLast = rows.length <= limit;
    }
    return pageIn(found, limit);
  }

  @Get(':fileId')
  @Summary('Get one of your files.')
  @Answers(200, FILE)
  @Refuses('models_token_needed', 403)
  @Refuses('file_not_found', 404)
  async get(@Caller() caller: Caller, @Param('fileId') fileId: string): Promise<FileAnswer> {
    const row = await this.files.of(modelCaller(caller).userId, idInFileId(fileId));
    return fileAnswer(row, (await this.files.nameOf(row)) ?? notFound());
  }

  @Get(':fileId/content')
  @Summary('Download one of your files.')
  @Answers(200, { type: 'string', contentEncoding: 'binary' }, { mediaType: '*/*', description: 'The bytes of the file.' })
  @Refuses('models_token_needed', 403)
  @Refuses('file_not_found', 404)
  @Refuses('file_damaged', 404)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async content(@Caller() caller: Caller, @Param('fileId') fileId: string, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.files.of(modelCaller(caller).userId, idInFileId(fileId));
    const name = await this.files.nameOf(row);
    const body = name === null ? null : await this.files.open(row).catch(fileDamaged);
    if (name === null || !body) throw gatewayFileNotFound();
    void reply
      .status(200)
      .header('content-type', 'application/octet-stream')
      .header('content-length', String(row.bytes))
      .header('content-disposition', disposition('', name))
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      .send(body);
  }

  @Delete(':fileId')
  @HttpCode(200)
  @Summary('Delete one of your files.')
  @Answers(200, DELETED_FILE)
  @Refuses('models_token_needed', 403)
  @Refuses('file_not_found', 404)
  @Refuses('on_hold', 409)
  async remove(@Caller() caller: Caller, @Param('fileId') fileId: string) {
    const row = await this.files.of(modelCaller(caller).userId, idInFileId(fileId));
    await this.files.remove(row);
    return { id: fileIdOf(row.file_id), object: 'file' as const, deleted: true as const };
  }
}

function notFound(): never {
  throw gatewayFileNotFound();
}
