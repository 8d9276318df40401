import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { nextTurn } from '@parlance/event-loop';
import { Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { IsOptional, Length } from 'class-validator';
import { OwnPrompts } from '../../projections/prompts/prompt-lists.ts';

class ExportedPromptsBody {
  @Length(1, 128) user_id!: string;
  /** The last prompt of the previous page. */
  @IsOptional() @Length(1, 128) after?: string;
}

interface ExportedPrompt {
  readonly id: string;
  readonly title: string;
  readonly command: string;
  readonly description: string;
  readonly text: string;
  readonly shared_scope: string;
  /** In epoch seconds. */
  readonly create_time: number;
}

/** The prompts that a user owns, for exporting the user's own data. */
@Controller('internal/prompts/exported')
@Internal()
export class InternalPromptsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** A prompt that is being deleted is left out. */
  @Post()
  @HttpCode(200)
  async exported(@Body() { user_id, after }: ExportedPromptsBody): Promise<{ prompts: readonly ExportedPrompt[]; next: string | null }> {
    const { own, next } = await this.queries.execute(new OwnPrompts(user_id, after ?? null));
    const prompts: ExportedPrompt[] = [];
    for (const { row, text: sealed } of own) {
      await nextTurn();
      const opened = [row.title, row.command, row.description, sealed].map((text) =>
        text === null ? '' : this.vault.open(text as Sealed),
      );
      const [title = null, command = null, description = null, text = null] = await Promise.all(opened);
      if (title === null || command === null || description === null || text === null) continue;
      prompts.push({ id: row.id, title, command, description, text, shared_scope: row.shared_scope, create_time: row.create_time });
    }
    return { prompts, next };
  }
}
