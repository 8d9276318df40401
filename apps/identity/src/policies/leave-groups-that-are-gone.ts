import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { GroupDeleted, UserJoinedGroup } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Streams } from '@parlance/foundation';
import { ExecuteGroups, ExecuteUser } from '../commands/aggregates.ts';
import { groups, groupsStream, isBeingLeft, isGroup } from '../domain/groups.ts';
import { pagesOfUsers } from '../projections/users.ts';

/**
 * Removes the members of a deleted group. After that, a new group may use the name. The second handler removes a user who
 * joined while the group was being deleted.
 */
@Controller()
export class LeaveGroupsThatAreGone {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
  ) {}

  @EventPattern(GroupDeleted.type)
  async onGroupDeleted(@Payload() { data: { group } }: CloudEvent<GroupDeleted>) {
    // A repeated event. A new group of this name may exist by now.
    if (!isBeingLeft(await this.streams.load(groups, groupsStream), group)) return;
    for await (const rows of pagesOfUsers(this.queries))
      for (const row of rows) if (row.groups.includes(group)) await this.leave(row.user_id, group);
    await this.commands.execute(new ExecuteGroups({ type: 'Emptied', name: group }));
  }

  @EventPattern(UserJoinedGroup.type)
  async onUserJoinedGroup(@Payload() { data }: CloudEvent<UserJoinedGroup>) {
    if (!(await this.isThere(data.group))) await this.leave(data.user_id, data.group);
  }

  private async isThere(group: string): Promise<boolean> {
    return isGroup(await this.streams.load(groups, groupsStream), group);
  }

  private async leave(userId: string, group: string): Promise<void> {
    try {
      await this.commands.execute(new ExecuteUser(userId, { type: 'LeaveGroup', group }));
    } catch (error) {
      // The user was erased meanwhile, and so is in no group.
      if ((error as { code?: string }).code !== 'user_not_found') throw error;
    }
  }
}
