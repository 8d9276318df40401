import { Body, Controller, Delete, HttpCode, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, IdParam, IsUlid, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean } from 'class-validator';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { ProjectChanges } from '../workflows/projects/project-changes.ts';
import { ConversationSummary } from './conversation-answers.ts';
import { WholeConversations } from './whole-conversations.ts';

class ProjectOfConversationBody {
  @IsUlid() project_id!: string;
}

class MemoryOfConversationBody {
  @IsBoolean() enabled!: boolean;
}

class PinnedBody {
  @IsBoolean() pinned!: boolean;
}

/** Where a user's own conversation is listed, and whether it uses the user's memory. */
@Controller('conversation/:conversationId')
export class ConversationPlaceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly conversations: WholeConversations,
    private readonly projects: ProjectChanges,
  ) {}

  @Put('project')
  @SignedIn()
  @Summary('Move a conversation into a project, and out of its earlier one. Other members do not see it.')
  @Answers(200, ConversationSummary)
  @Refuses('conversation_not_found', 404)
  @Refuses('project_not_found', 404)
  @Refuses('conversation_is_temporary', 409)
  async move(
    @Caller() caller: Caller,
    @IdParam('conversationId') id: string,
    @Body() { project_id }: ProjectOfConversationBody,
  ): Promise<ConversationSummary> {
    await this.conversations.of(caller, id);
    await this.projects.of(project_id, caller.userId);
    return this.placed(caller, id, { type: 'Move', userId: caller.userId, projectId: project_id });
  }

  @Delete('project')
  @HttpCode(200)
  @SignedIn()
  @Summary('Move a conversation out of its project.')
  @Answers(200, ConversationSummary)
  @Refuses('conversation_not_found', 404)
  async moveOut(@Caller() caller: Caller, @IdParam('conversationId') id: string): Promise<ConversationSummary> {
    await this.conversations.of(caller, id);
    return this.placed(caller, id, { type: 'Move', userId: caller.userId, projectId: null });
  }

  @Put('pinned')
  @SignedIn()
  @Summary('Pin a conversation, or unpin it. GET /conversations with `pinned` lists pinned ones.')
  @Answers(200, ConversationSummary)
  @Refuses('conversation_not_found', 404)
  @Refuses('conversation_is_temporary', 409)
  async pin(@Caller() caller: Caller, @IdParam('conversationId') id: string, @Body() { pinned }: PinnedBody): Promise<ConversationSummary> {
    await this.conversations.of(caller, id);
    return this.placed(caller, id, { type: 'SetPinned', userId: caller.userId, isPinned: pinned });
  }

  @Put('memory')
  @SignedIn()
  @Summary('Turn your memory on or off for a conversation: whether its prompts have entries, and its models may add any.')
  @Answers(200, ConversationSummary)
  @Refuses('conversation_not_found', 404)
  async setMemory(
    @Caller() caller: Caller,
    @IdParam('conversationId') id: string,
    @Body() { enabled }: MemoryOfConversationBody,
  ): Promise<ConversationSummary> {
    await this.conversations.of(caller, id);
    return this.placed(caller, id, { type: 'SetMemory', userId: caller.userId, isOn: enabled });
  }

  private async placed(
    caller: Caller,
    id: string,
    command: ConstructorParameters<typeof ExecuteConversation>[1],
  ): Promise<ConversationSummary> {
    await this.commands.execute(new ExecuteConversation(id, command));
    return this.conversations.summary(await this.conversations.of(caller, id));
  }
}
