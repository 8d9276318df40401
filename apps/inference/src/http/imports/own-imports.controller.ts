import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { Clock } from '@parlance/foundation';
import { BodyBytes, BodyLimit, Caller, LongAnswer, type ReceivedBytes, SignedIn, TakesBytes } from '@parlance/http';
import { Answers, Refuses, Summary, Takes } from '@parlance/openapi';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import type { Source } from '../../adapters/imports/drafts.ts';
import { ImportReader } from '../../adapters/imports/import-reader.ts';
import { MAX_OWN_IMPORT_BYTES } from '../../adapters/imports/limits.ts';
import { OwnImports } from '../../workflows/imports/own-imports.ts';
import { ConversationImport, importAnswer } from './own-import-answers.ts';

const SOURCES = ['auto', 'parlance', 'chatgpt', 'claude'] as const satisfies readonly (Source | 'auto')[];

class OwnImportQuery {
  /** True only reports what would be imported. */
  @IsOptional() @IsBoolean() dry_run?: boolean;
  /** The format of the file. Detected by default. */
  @IsOptional() @IsIn(SOURCES) source?: string;
}

const JSON_BODY = {
  description: 'A conversation of the format parlance-conversation/1 or a list of them, or the conversations.json of ChatGPT or Claude.',
  anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }],
};

/** Imports into the caller's own account. */
@Controller('conversations/imports')
export class OwnImportsController {
  constructor(
    private readonly reader: ImportReader,
    private readonly imports: OwnImports,
    private readonly clock: Clock,
  ) {}

  @Post()
  @SignedIn()
  @HttpCode(200)
  @BodyLimit(MAX_OWN_IMPORT_BYTES)
  @TakesBytes('application/json', 'application/zip')
  @Takes(JSON_BODY)
  @LongAnswer()
  @Summary('Import own conversations from a file of Parlance, ChatGPT or Claude. Repeat the request if `is_complete` is false.')
  @Answers(200, ConversationImport)
  @Refuses('invalid_import', 400)
  @Refuses('import_too_large', 413)
  @Refuses('import_running', 429)
  @Refuses('busy', 503)
  take(
    @Caller() { userId }: Caller,
    @BodyBytes() { bytes, mediaType }: ReceivedBytes,
    @Query() { dry_run: isDryRun = false, source = 'auto' }: OwnImportQuery,
  ): Promise<ConversationImport> {
    const request = {
      bytes,
      isArchive: mediaType === 'application/zip',
      source: source as (typeof SOURCES)[number],
      userId,
      now: this.clock.now(),
    };
    return this.reader.during(request, async (file) =>
      importAnswer(file.source, isDryRun, await this.imports.take(file, userId, isDryRun)),
    );
  }
}
