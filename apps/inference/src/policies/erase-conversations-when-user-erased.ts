import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { eraseEach, eraseInSteps, Erasing, type Removed } from '@parlance/foundation';
import { ContentErasedOf, ConversationsOf } from '../projections/content-of-user.ts';
import { ErasedOwnExportsOf } from '../projections/own-data/own-exports.ts';
import { ErasedResponsesOf } from '../projections/responses/stored-responses.ts';
import { ErasedGatewayFilesOf } from '../projections/gateway/gateway-files.ts';
import { ErasedSharesOf } from '../projections/shares/shares.ts';
import { ErasedMemoriesOf } from '../projections/memory/memories.ts';
import { ErasedProjectsOf } from '../projections/projects/projects.ts';
import { ErasedToolConnectionsOf } from '../projections/tool-connections.ts';
import { AnswerCache } from '../workflows/calls/cache/answer-cache.ts';
import { ResponseRemoval } from '../workflows/calls/stored/response-removal.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { GatewayBatches } from '../workflows/gateway/gateway-batches.ts';
import { StoredFiles } from '../workflows/gateway/stored-files.ts';
import { MemoryChanges } from '../workflows/memory/memory-changes.ts';
import { OwnExports } from '../workflows/own-data/own-exports.ts';
import { ProjectChanges } from '../workflows/projects/project-changes.ts';
import { ConversationShares } from '../workflows/shares/conversation-shares.ts';
import { ToolConnections } from '../workflows/tools/tool-connections.ts';

/** Conversations erased at the same time. Their appends share commits of the store, and other work continues in between. */
const ERASED_AT_ONCE = 8;

/**
 * Erases a user's shares, exports, memory, projects, memberships, stored responses, batches, files of calls, conversations and connections to tool servers. The costs stay in the log, and in the services that have
 * received them. Each step is small, and may be repeated after a crash or run in two processes at once.
 */
@Injectable()
export class EraseConversationsWhenUserErased extends Erasing {
  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly connections: ToolConnections,
    private readonly shares: ConversationShares,
    private readonly exports: OwnExports,
    private readonly projects: ProjectChanges,
    private readonly responses: ResponseRemoval,
    private readonly cache: AnswerCache,
    private readonly batches: GatewayBatches,
    private readonly gatewayFiles: StoredFiles,
    private readonly memory: MemoryChanges,
  ) {
    super();
  }

  override async erase(userId: string): Promise<void> {
    this.cache.forget(userId);
    await eraseInSteps(
      () => this.shares.erase(userId),
      () => this.exports.erase(userId),
      () => this.connections.erase(userId),
      () => this.projects.erase(userId),
      () => this.memory.erase(userId),
      () => this.responses.erase(userId),
      () => this.batches.erase(userId),
      () => this.gatewayFiles.erase(userId),
      // A command resolves when its rows are gone, so each query returns other conversations, until there are none.
      () =>
        eraseEach(
          () => this.queries.execute(new ConversationsOf(userId)),
          (id) => this.removal.erase(id, userId),
          ERASED_AT_ONCE,
        ),
    );
  }

  override async removedOf(userId: string): Promise<Removed> {
    const { conversations, messages, files } = await this.queries.execute(new ContentErasedOf(userId));
    const tool_connections = await this.queries.execute(new ErasedToolConnectionsOf(userId));
    const shares = await this.queries.execute(new ErasedSharesOf(userId));
    const own_exports = await this.queries.execute(new ErasedOwnExportsOf(userId));
    const gateway_files = await this.queries.execute(new ErasedGatewayFilesOf(userId));
    const projects = await this.queries.execute(new ErasedProjectsOf(userId));
    const memories = await this.queries.execute(new ErasedMemoriesOf(userId));
    const responses = await this.queries.execute(new ErasedResponsesOf(userId));
    return {
      conversations,
      messages,
      ...(files !== undefined && { files }),
      ...(tool_connections > 0 && { tool_connections }),
      ...(shares > 0 && { shares }),
      ...(projects > 0 && { projects }),
      ...(memories > 0 && { memories }),
      ...(responses > 0 && { responses }),
      ...(own_exports > 0 && { own_exports }),
      ...(gateway_files > 0 && { gateway_files }),
    };
  }
}
