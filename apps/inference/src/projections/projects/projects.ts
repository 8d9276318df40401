import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type Change, type Cursor, patch, projection, put, type ReadModels, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { MAX_MEMBERS_OF_PROJECT } from '../../domain/projects/project-limits.ts';
import type { MemberRole, ProjectsEvent } from '../../domain/projects/projects.ts';

/** `title` and `instruction` are sealed. */
export interface ProjectRow {
  readonly project_id: string;
  readonly owner_user_id: string;
  readonly title: string;
  readonly instruction: string | null;
  readonly bot_id: string | null;
  readonly model: string | null;
  readonly created_at: Instant;
  readonly changed_at: Instant;
}

export interface MemberRow {
  readonly project_id: string;
  readonly user_id: string;
  readonly role: 'owner' | MemberRole;
}

type Membership = Pick<MemberRow, 'project_id' | 'user_id'>;

/** How many projects of a user were erased. */
interface ErasedProjectsRow {
  readonly projects: number;
}

const projectRows = table<ProjectRow>('projects');
const memberRows = table<MemberRow>('project_members', { byUser: ['user_id', 'project_id'], byProject: ['project_id'] });
const erasedProjectRows = table<ErasedProjectsRow>('erased_projects');

const memberKey = (projectId: string, userId: string) => `${projectId}/${userId}`;

function member(project_id: string, user_id: string, role: MemberRow['role']): Change {
  return put(memberRows, memberKey(project_id, user_id), { project_id, user_id, role });
}

export const projectList = projection<ProjectsEvent>({
  name: 'projects',
  version: 1,
  tables: [projectRows, memberRows, erasedProjectRows],
  on: {
    ProjectCreated: ({ projectId, ownerId, title, instruction, botId, model }, { metadata: { at } }) => [
      put(projectRows, projectId, {
        project_id: projectId,
        owner_user_id: ownerId,
        title,
        instruction,
        bot_id: botId,
        model,
        created_at: at,
        changed_at: at,
      }),
      member(projectId, ownerId, 'owner'),
    ],
    ProjectChanged: ({ projectId, changes: { botId, ...rest } }, { metadata: { at } }) => [
      patch(projectRows, projectId, { ...rest, ...(botId !== undefined && { bot_id: botId }), changed_at: at }),
    ],
    ProjectMemberSet: ({ projectId, userId, role }) => [member(projectId, userId, role)],
    ProjectMemberRemoved: ({ projectId, userId }) => [remove(memberRows, memberKey(projectId, userId))],
    ProjectDeleted: ({ projectId, members }, { stream }) => [
      remove(projectRows, projectId),
      ...[idInStream(stream), ...members].map((userId) => remove(memberRows, memberKey(projectId, userId))),
    ],
    ProjectsErased: ({ projects }, { stream }) => (projects > 0 ? [add(erasedProjectRows, idInStream(stream), { projects }, {})] : []),
  },
});

export interface OwnProject {
  readonly row: ProjectRow;
  readonly role: MemberRow['role'];
}

/** A project that the user belongs to. Null if there is none. */
export const ProjectOf = query('ProjectOf', async (models, projectId: string, userId: string): Promise<OwnProject | null> => {
  const [row, membership] = await Promise.all([models.get(projectRows, projectId), models.get(memberRows, memberKey(projectId, userId))]);
  return row && membership && { row, role: membership.role };
});

export interface ProjectPage {
  readonly projects: readonly OwnProject[];
  readonly next: Cursor | null;
}

/** The projects that a user belongs to, the newest first. */
export const ProjectsOf = query('ProjectsOf', (models, userId: string, limit: number, after: Cursor | null) =>
  pageOf(models, userId, limit, after),
);

async function pageOf(models: ReadModels, userId: string, limit: number, after: Cursor | null): Promise<ProjectPage> {
  const wanted = { index: 'byUser', where: { user_id: userId }, order: 'desc', limit, ...(after && { after }) } as const;
  const { rows, next } = await models.find(memberRows, wanted);
  const found = await models.getMany(
    projectRows,
    rows.map(({ project_id }) => project_id),
  );
  const projects = rows.flatMap(({ project_id, role }) => {
    const row = found.get(project_id);
    return row ? [{ row, role }] : [];
  });
  return { projects, next };
}

/** Those of the projects with these IDs that the user belongs to. */
export const SeenProjects = query(
  'SeenProjects',
  async (models, ids: readonly string[], userId: string): Promise<readonly ProjectRow[]> => {
    const [rows, memberships] = await Promise.all([
      models.getMany(projectRows, ids),
      models.getMany(
        memberRows,
        ids.map((id) => memberKey(id, userId)),
      ),
    ]);
    return [...rows.values()].filter(({ project_id }) => memberships.has(memberKey(project_id, userId)));
  },
);

/** All members of a project, with its owner. */
export const MembersOf = query('MembersOf', async (models, projectId: string): Promise<readonly MemberRow[]> => {
  const wanted = { index: 'byProject', where: { project_id: projectId }, limit: MAX_MEMBERS_OF_PROJECT + 1 } as const;
  return (await models.find(memberRows, wanted)).rows;
});

/** Which of these memberships exist. A conversation stays in a project that was deleted, or that its user has left, but is not shown in it. */
export const Memberships = query('Memberships', async (models, wanted: readonly Membership[]): Promise<(one: Membership) => boolean> => {
  const keys = [...new Set(wanted.map(({ project_id, user_id }) => memberKey(project_id, user_id)))];
  const rows = await models.getMany(memberRows, keys);
  return ({ project_id, user_id }) => rows.has(memberKey(project_id, user_id));
});

/** The owners of some of the projects that others share with a user. */
export const OwnersSharingWith = query('OwnersSharingWith', async (models, userId: string): Promise<readonly string[]> => {
  let after: Cursor | null = null;
  do {
    const page: ProjectPage = await pageOf(models, userId, 100, after);
    const owners = page.projects.flatMap(({ row, role }) => (role === 'owner' ? [] : [row.owner_user_id]));
    if (owners.length > 0) return [...new Set(owners)];
    after = page.next;
  } while (after);
  return [];
});

export const ErasedProjectsOf = query('ErasedProjectsOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedProjectRows, userId))?.projects ?? 0;
});
