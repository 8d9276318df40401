import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { inTurns } from '@parlance/event-loop';
import { Caller, Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { SeenProjects } from '../../projections/projects/projects.ts';

const MOST_TITLES = 200;
const OPENED_AT_ONCE = 20;

class SeenProjectsBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) project_ids!: string[];
}

/** For services that show a user projects which they know only by their IDs. */
@Controller('internal/seen-projects')
@Internal()
export class InternalSeenProjectsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Titles by ID. Projects that the user does not belong to now, or that are deleted, are left out. */
  @Post()
  @HttpCode(200)
  async titles(
    @Caller() { userId }: Caller,
    @Body() { project_ids }: SeenProjectsBody,
  ): Promise<{ projects: Readonly<Record<string, string>> }> {
    const seen = await this.queries.execute(new SeenProjects([...new Set(project_ids)], userId));
    const opened = await inTurns(seen, OPENED_AT_ONCE, async ({ project_id, title }) => {
      const text = await this.vault.openOften(title as Sealed);
      return text === null ? [] : [[project_id, text] as const];
    });
    return { projects: Object.fromEntries(opened.flat()) };
  }
}
