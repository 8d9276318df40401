import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Streams } from '@parlance/foundation';
import { type Sealed, Vault } from '@parlance/privacy';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { ProjectOf } from '../../projections/projects/projects.ts';

/** Finds the instruction of a conversation's project for its prompts. */
@Injectable()
export class ProjectInstructions {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
  ) {}

  /**
   * The instruction as it is now. Empty if the conversation is in no project, and if its user is no longer a member. `projectId`: undefined if the
   * caller does not know it. It is then read from the stream, because the row of a new conversation may not exist yet.
   */
  async of(conversationId: string, userId: string, projectId: string | null | undefined): Promise<string> {
    const its = projectId === undefined ? await this.projectOf(conversationId) : projectId;
    if (its === null) return '';
    const found = await this.queries.execute(new ProjectOf(its, userId));
    const sealed = found?.row.instruction ?? null;
    return sealed === null ? '' : ((await this.vault.openOften(sealed as Sealed)) ?? '');
  }

  private async projectOf(conversationId: string): Promise<string | null> {
    return (await this.streams.load(conversation, conversationStream(conversationId))).projectId ?? null;
  }
}
