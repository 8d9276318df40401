import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { eraseEach, Streams } from '@parlance/foundation';
import { type Seal, Shredded, Vault } from '@parlance/privacy';
import { KnownSubjects } from '../../adapters/known-subjects.ts';
import { ExecuteProjects } from '../../commands/aggregates.ts';
import { projectNotFound } from '../../domain/projects/project-refusals.ts';
import { type MemberRole, projects, type ProjectsCommand, type ProjectSettings, projectsStream } from '../../domain/projects/projects.ts';
import { type OwnProject, OwnersSharingWith, ProjectOf } from '../../projections/projects/projects.ts';
import { HoldsOnConversations } from '../holds/holds-on-conversations.ts';
import { projectSubject } from './project-subject.ts';

/** Creates, changes and deletes projects. Each method throws the refusals of the decider. */
@Injectable()
export class ProjectChanges {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly subjects: KnownSubjects,
    private readonly holds: HoldsOnConversations,
  ) {}

  /** Throws `project_not_found` (missing) if the user does not belong to the project. */
  async of(projectId: string, userId: string): Promise<OwnProject> {
    const found = await this.queries.execute(new ProjectOf(projectId, userId));
    if (!found) throw projectNotFound();
    return found;
  }

  async create(projectId: string, userId: string, settings: ProjectSettings): Promise<void> {
    await this.sealing(projectId, userId, ({ text, companions }) =>
      this.execute(userId, { type: 'Create', projectId, by: userId, ...sealed(settings, text) }, companions),
    );
  }

  async change(projectId: string, by: string, changes: Partial<ProjectSettings>): Promise<void> {
    const { owner_user_id } = (await this.of(projectId, by)).row;
    await this.sealing(projectId, owner_user_id, ({ text, companions }) =>
      this.execute(owner_user_id, { type: 'Change', projectId, by, changes: sealed(changes, text) }, companions),
    );
  }

  /** Throws `user_not_found` (missing) too. */
  async setMember(projectId: string, by: string, userId: string, role: MemberRole): Promise<void> {
    const { row, role: own } = await this.of(projectId, by);
    // Others get the refusal of the decider, and learn nothing about users.
    if (own === 'owner') await this.subjects.requireUser(userId);
    await this.execute(row.owner_user_id, { type: 'SetMember', projectId, by, userId, role });
  }

  async removeMember(projectId: string, by: string, userId: string): Promise<void> {
    const { row } = await this.of(projectId, by);
    await this.execute(row.owner_user_id, { type: 'RemoveMember', projectId, by, userId });
  }

  /** The key is destroyed first, so that a deleted project's texts cannot be read after a crash. Until the event is recorded, the deletion can be repeated. */
  async delete(projectId: string, by: string, forAdmin: boolean): Promise<void> {
    const { row, role } = await this.of(projectId, by);
    const holds = await this.holds.on('user', row.owner_user_id);
    const command = { type: 'Delete', projectId, by, holds, forAdmin } as const;
    if (role === 'owner' && holds.length === 0) await this.vault.shred(projectSubject(projectId, row.owner_user_id).id);
    await this.execute(row.owner_user_id, command);
  }

  /** Deletes all projects of an erased user, and ends the user's memberships. No project can be created afterwards. */
  async erase(userId: string): Promise<void> {
    const { members } = await this.streams.load(projects, projectsStream(userId));
    for (const projectId of Object.keys(members)) await this.vault.shred(projectSubject(projectId, userId).id);
    await this.execute(userId, { type: 'Erase' });
    await eraseEach(
      () => this.queries.execute(new OwnersSharingWith(userId)),
      (owner) => this.execute(owner, { type: 'EraseMember', userId }),
    );
  }

  private execute(ownerId: string, command: ProjectsCommand, companions?: Seal['companions']) {
    return this.commands.execute(new ExecuteProjects(ownerId, command, companions && { companions }));
  }

  /** Throws `project_not_found` if the project was deleted in the meantime, or its user was erased. */
  private async sealing(projectId: string, ownerId: string, work: (seal: Seal) => Promise<unknown>): Promise<void> {
    try {
      await this.vault.sealing(projectSubject(projectId, ownerId), work);
    } catch (error) {
      throw error instanceof Shredded ? projectNotFound() : error;
    }
  }
}

/** Only given settings. An empty instruction is none. */
function sealed<Settings extends Partial<ProjectSettings>>({ title, instruction, ...rest }: Settings, seal: Seal['text']) {
  return {
    ...rest,
    ...(title !== undefined && { title: seal(title) }),
    ...(instruction !== undefined && { instruction: instruction ? seal(instruction) : null }),
  } as Settings;
}
