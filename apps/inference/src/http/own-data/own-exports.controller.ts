import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { FreshSecondFactor } from '@parlance/calls';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { Audited, Caller, FreshId, IdParam, Needs, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { LastOwnExport, OwnExportOf } from '../../projections/own-data/own-exports.ts';
import { OwnExports } from '../../workflows/own-data/own-exports.ts';
import { exportNotFound, FetchedOwnExport, FetchedOwnExports, OwnExport, ownExportAnswer } from './own-export-answers.ts';

/** Exports of the caller's own data. */
@Controller('user/me')
@SignedIn()
export class OwnExportsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly exports: OwnExports,
    private readonly fetched: FetchedOwnExports,
    private readonly clock: Clock,
  ) {}

  @Post('export')
  @HttpCode(202)
  @Audited('request_own_export', 'user')
  @Summary(
    'Request your own data: conversations, files, bots, ratings and usage as a ZIP. One export runs at a time, and replaces the previous one.',
  )
  @Answers(202, OwnExport)
  @Refuses('export_running', 409)
  @Refuses('object_store_not_configured', 503)
  async request(@FreshId() exportId: string, @Caller() { userId }: Caller): Promise<OwnExport> {
    return ownExportAnswer(await this.exports.request(userId, exportId, 'user'));
  }

  @Get('export')
  @Summary('Get your last export with its progress, and the URL of its file when it is ready.')
  @Answers(200, FetchedOwnExport)
  @Refuses('export_not_found', 404)
  async last(@Caller() caller: Caller): Promise<FetchedOwnExport> {
    return this.fetched.answer(await this.queries.execute(new LastOwnExport(caller.userId)), caller, this.clock.now());
  }

  @Get('exports/:exportId')
  @Summary('Get one of your exports with its progress, and the URL of its file when it is ready.')
  @Answers(200, FetchedOwnExport)
  @Refuses('export_not_found', 404)
  async one(@Caller() caller: Caller, @IdParam('exportId') exportId: string): Promise<FetchedOwnExport> {
    return this.fetched.answer(await this.queries.execute(new OwnExportOf(caller.userId, exportId)), caller, this.clock.now());
  }

  @Delete('exports/:exportId')
  @HttpCode(204)
  @Audited('remove_own_export', 'user')
  @Summary('Remove one of your exports. Its file and URL stop working at once. An unfinished export is abandoned.')
  @Answers(204)
  @Refuses('export_not_found', 404)
  async remove(@Caller() { userId }: Caller, @IdParam('exportId') exportId: string): Promise<void> {
    if (!(await this.queries.execute(new OwnExportOf(userId, exportId)))) throw exportNotFound();
    await this.exports.remove(userId, exportId);
  }
}

/** Exports for other users. Administrators see neither content nor URL: only the user can download the file. */
@Controller('admin/users/:userId/export')
@Needs('Admin')
export class AdminOwnExportsController {
  constructor(
    private readonly exports: OwnExports,
    private readonly secondFactor: FreshSecondFactor,
  ) {}

  @Post()
  @HttpCode(202)
  @Audited('request_own_export', 'user', 'userId')
  @Summary("Request an export of a user's data on behalf of the user, who downloads the file with GET /user/me/export.")
  @Answers(202, OwnExport)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('export_running', 409)
  @Refuses('object_store_not_configured', 503)
  async request(@FreshId() exportId: string, @IdParam('userId') userId: string): Promise<OwnExport> {
    await this.secondFactor.require();
    return ownExportAnswer(await this.exports.requestFor(userId, exportId));
  }
}
