import type { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { type OwnProject, type ProjectPage, ProjectsOf } from '../../projections/projects/projects.ts';

/** Projects of one page. Each may have an instruction of 32 KiB. */
const PROJECTS_AT_ONCE = 50;

interface Sources {
  readonly queries: QueryBus;
  readonly vault: Vault;
}

/**
 * The JSON of a user's own projects, and of the IDs of those that others share with the user, in parts. `checkIn` is called before each page, and
 * throws to stop.
 */
export async function* ownProjects({ queries, vault }: Sources, userId: string, checkIn: () => Promise<void>): AsyncGenerator<string> {
  let separator = '[\n';
  let after: Cursor | null = null;
  do {
    await checkIn();
    const page: ProjectPage = await queries.execute(new ProjectsOf(userId, PROJECTS_AT_ONCE, after));
    for (const each of page.projects) {
      if (isTurnOver()) await nextTurn();
      yield separator + JSON.stringify(await exported(vault, each));
      separator = ',\n';
    }
    after = page.next;
  } while (after !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function exported(vault: Vault, { row, role }: OwnProject): Promise<object> {
  const { project_id, owner_user_id, title, instruction, bot_id, model, created_at: create_time } = row;
  if (role !== 'owner') return { project_id, role, owner_user_id };
  const opened = await Promise.all([title, instruction].map((text) => text && vault.open(text as Sealed)));
  return { project_id, role, title: opened[0] ?? '', instruction: opened[1] ?? '', bot_id, model, create_time };
}
