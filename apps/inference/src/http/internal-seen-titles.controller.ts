import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { inTurns } from '@parlance/event-loop';
import { Caller, Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { UNTITLED } from '../domain/title-rule.ts';
import { AwaitingReplies } from '../projections/awaiting-replies.ts';
import { SeenProjects } from '../projections/projects/projects.ts';

const MOST_TITLES = 200;
const OPENED_AT_ONCE = 20;

class SeenTitlesBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) project_ids!: string[];
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) awaiting_reply_ids!: string[];
}

type Titles = Readonly<Record<string, string>>;

/** For services that show a user projects and replies which they know only by their IDs. */
@Controller('internal/seen-titles')
@Internal()
export class InternalSeenTitlesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /**
   * The titles of projects by ID, and of the conversations of replies by the ID of the reply. Left out are projects that the user does not belong to
   * now, and replies that do not wait for the user's approval now.
   */
  @Post()
  @HttpCode(200)
  async titles(
    @Caller() { userId }: Caller,
    @Body() { project_ids, awaiting_reply_ids }: SeenTitlesBody,
  ): Promise<{ projects: Titles; awaiting: Titles }> {
    const projects = await this.queries.execute(new SeenProjects([...new Set(project_ids)], userId));
    const replies = await this.queries.execute(new AwaitingReplies([...new Set(awaiting_reply_ids)], userId));
    return {
      projects: await this.opened(projects.map(({ project_id, title }) => [project_id, title])),
      awaiting: await this.opened(replies.map(({ replyId, title }) => [replyId, title])),
    };
  }

  private async opened(sealed: readonly (readonly [id: string, title: string | null])[]): Promise<Titles> {
    const titles = await inTurns(sealed, OPENED_AT_ONCE, async ([id, title]) => {
      const text = title === null ? UNTITLED : await this.vault.openOften(title as Sealed);
      return text === null ? [] : [[id, text] as const];
    });
    return Object.fromEntries(titles.flat());
  }
}
