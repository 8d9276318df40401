import { type Decider, type Decision, onHold, refuse } from '@parlance/decider';
import { MAX_MEMBERS_OF_PROJECT, MAX_PROJECTS_OF_USER } from './project-limits.ts';
import { memberIsOwner, notEditor, notOwner, projectNotFound, tooManyMembers, tooManyProjects } from './project-refusals.ts';

/** `viewer`: uses the project for own conversations. `editor`: also changes its title, instruction and defaults. */
export type MemberRole = 'viewer' | 'editor';

/** The title and the instruction are sealed. An instruction that is empty is null. */
export interface ProjectSettings {
  readonly title: string;
  readonly instruction: string | null;
  /** The bot and the model that clients choose for a new conversation. */
  readonly botId: string | null;
  readonly model: string | null;
}

/** `by`: the user who requests it. */
export type ProjectsCommand =
  | ({ type: 'Create'; projectId: string; by: string } & ProjectSettings)
  | { type: 'Change'; projectId: string; by: string; changes: Partial<ProjectSettings> }
  | { type: 'SetMember'; projectId: string; by: string; userId: string; role: MemberRole }
  /** The owner removes a member, or a member leaves. */
  | { type: 'RemoveMember'; projectId: string; by: string; userId: string }
  /** `holds`: IDs of the holds on the owner, which only an administrator sees. */
  | { type: 'Delete'; projectId: string; by: string; holds: readonly string[]; forAdmin: boolean }
  /** A member is erased. */
  | { type: 'EraseMember'; userId: string }
  /** The owner is erased. */
  | { type: 'Erase' };

export type ProjectsEvent =
  | ({ type: 'ProjectCreated'; projectId: string; ownerId: string } & ProjectSettings)
  /** Has only the settings that change. */
  | { type: 'ProjectChanged'; projectId: string; by: string; changes: Partial<ProjectSettings> }
  /** `isNew`: the user was no member. Absent in older events. */
  | { type: 'ProjectMemberSet'; projectId: string; userId: string; role: MemberRole; isNew?: true }
  | { type: 'ProjectMemberRemoved'; projectId: string; userId: string; because: 'removed' | 'left' | 'user_erased' }
  /** Its conversations are kept, and belong to no project. The key of its texts is destroyed before this event. */
  | { type: 'ProjectDeleted'; projectId: string; members: readonly string[]; because: 'owner' | 'user_erased' }
  /** The user is erased: no project can be created from now on. */
  | { type: 'ProjectsErased'; projects: number };

/** The roles of the members besides the owner, by user. */
type Members = Readonly<Record<string, MemberRole>>;

export interface Projects {
  /** Null before the first project. */
  readonly ownerId: string | null;
  /** The members of the user's own projects, by project. */
  readonly members: Readonly<Record<string, Members>>;
  readonly isErased: boolean;
}

/** The projects that one user owns. */
export const projects: Decider<ProjectsCommand, ProjectsEvent, Projects> = {
  initialState: { ownerId: null, members: {}, isErased: false },
  snapshots: { every: 50, shape: 'projects-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const { type: _, by: ownerId, ...created } = command;
        if (state.isErased) return refuse('missing', 'user_not_found', 'This user was erased.');
        // A repeat of the request.
        if (state.members[created.projectId]) return [];
        if (Object.keys(state.members).length >= MAX_PROJECTS_OF_USER) return tooManyProjects();
        return [{ type: 'ProjectCreated', ownerId, ...created }];
      }
      case 'EraseMember':
        return Object.entries(state.members).flatMap(([projectId, members]): ProjectsEvent[] =>
          members[command.userId] ? [{ type: 'ProjectMemberRemoved', projectId, userId: command.userId, because: 'user_erased' }] : [],
        );
      case 'Erase': {
        if (state.isErased) return [];
        const deleted = Object.entries(state.members).map(([projectId, members]): ProjectsEvent => {
          return { type: 'ProjectDeleted', projectId, members: Object.keys(members), because: 'user_erased' };
        });
        return [...deleted, { type: 'ProjectsErased', projects: deleted.length }];
      }
      default:
        return decideOne(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ProjectCreated':
        return { ...state, ownerId: event.ownerId, members: { ...state.members, [event.projectId]: {} } };
      case 'ProjectChanged':
        return state;
      case 'ProjectMemberSet': {
        const members = { ...state.members[event.projectId], [event.userId]: event.role };
        return { ...state, members: { ...state.members, [event.projectId]: members } };
      }
      case 'ProjectMemberRemoved': {
        const { [event.userId]: _, ...members } = state.members[event.projectId] ?? {};
        return { ...state, members: { ...state.members, [event.projectId]: members } };
      }
      case 'ProjectDeleted': {
        const { [event.projectId]: _, ...members } = state.members;
        return { ...state, members };
      }
      case 'ProjectsErased':
        return { ...state, isErased: true };
    }
  },
};

type OneProjectCommand = Exclude<ProjectsCommand, { type: 'Create' | 'EraseMember' | 'Erase' }>;

/** Commands of a member on one project. */
function decideOne(command: OneProjectCommand, { ownerId, members: all }: Projects): Decision<ProjectsEvent> {
  const { projectId, by } = command;
  const members = all[projectId];
  const role = by === ownerId ? 'owner' : members?.[by];
  if (!members || !role) return projectNotFound();
  switch (command.type) {
    case 'Change':
      if (role === 'viewer') return notEditor();
      if (Object.keys(command.changes).length === 0) return [];
      return [{ type: 'ProjectChanged', projectId, by, changes: command.changes }];
    case 'SetMember': {
      const { userId, role: wanted } = command;
      if (role !== 'owner') return notOwner();
      if (userId === ownerId) return memberIsOwner();
      if (members[userId] === wanted) return [];
      if (!members[userId] && Object.keys(members).length >= MAX_MEMBERS_OF_PROJECT) return tooManyMembers();
      return [{ type: 'ProjectMemberSet', projectId, userId, role: wanted, ...(!members[userId] && { isNew: true }) }];
    }
    case 'RemoveMember': {
      const { userId } = command;
      if (role !== 'owner' && userId !== by) return notOwner();
      if (userId === ownerId) return memberIsOwner();
      if (!members[userId]) return [];
      return [{ type: 'ProjectMemberRemoved', projectId, userId, because: userId === by ? 'left' : 'removed' }];
    }
    case 'Delete':
      if (role !== 'owner') return notOwner();
      if (command.holds.length > 0) return onHold(command.holds, command.forAdmin);
      return [{ type: 'ProjectDeleted', projectId, members: Object.keys(members), because: 'owner' }];
  }
}

/** One stream for each owner, so that the decider can enforce the number of projects. */
export const projectsStream = (ownerId: string) => `projects-${ownerId}`;
