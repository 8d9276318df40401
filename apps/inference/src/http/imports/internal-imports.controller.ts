import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { BodyLimit, Internal } from '@parlance/http';
import { ImportedBy, type ImportTotals } from '../../projections/imports.ts';
import { ConversationImports, type ImportOutcome } from '../../workflows/imports/conversation-imports.ts';
import { checkedConversation, ImportBody, MAX_IMPORT_BYTES } from './import-body.ts';

/** The result for the conversation of the request at the same index. */
type Result = { readonly id: string } & ImportOutcome;

/** Used by `parlance migrate`. */
@Controller('internal/imports')
@Internal()
export class InternalImportsController {
  constructor(
    private readonly imports: ConversationImports,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @HttpCode(200)
  @BodyLimit(MAX_IMPORT_BYTES)
  async take(@Body() { name, conversations }: ImportBody): Promise<{ results: readonly Result[] }> {
    return { results: await Promise.all(conversations.map((each) => this.one(name, each))) };
  }

  /** The totals of a run's imports, according to the read model. */
  @Get(':name')
  totals(@Param('name') name: string): Promise<ImportTotals> {
    return this.queries.execute(new ImportedBy(name));
  }

  private async one(name: string, body: object): Promise<Result> {
    const conversation = checkedConversation(body);
    return 'status' in conversation ? conversation : { id: conversation.id, ...(await this.imports.take(name, conversation)) };
  }
}
