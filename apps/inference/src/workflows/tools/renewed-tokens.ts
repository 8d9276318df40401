import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, Streams } from '@parlance/foundation';
import { type Sealed, Shredded, Vault } from '@parlance/privacy';
import type { Granted, OAuthGrant } from '@parlance/tools/mcp';
import { McpServers } from '../../adapters/tools/mcp-servers.ts';
import { ToolTokens } from '../../adapters/tools/tool-tokens.ts';
import { ExecuteToolConnection } from '../../commands/aggregates.ts';
import {
  type Connected,
  toolConnection,
  type ToolConnectionCommand,
  toolConnectionId,
  toolConnectionStream,
} from '../../domain/tool-connection.ts';
import { connectionSubject, isRefused, tokensOf } from './tool-connections.ts';

/** A token is refreshed this long before it expires. */
const EARLY_MILLIS = 60_000;
/** The time limit of the authorization server. */
const REFRESH_MILLIS = 10_000;
/** How long no other process may refresh. It is longer than the time limit, so that a refresh token is never sent twice. */
const LEASE_MILLIS = 30_000;
/** How often to check for tokens that another process is refreshing. */
const CHECK_MILLIS = 50;

interface TokenRequest {
  readonly server: string;
  readonly userId: string;
  readonly signal: AbortSignal;
}

/**
 * Users' tokens, refreshed when they expire. A refresh token may be used once: the stream of the connection decides which process uses it, and
 * the others wait for its events.
 */
@Injectable()
export class RenewedTokens extends ToolTokens {
  constructor(
    private readonly servers: McpServers,
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {
    super();
  }

  override token(server: string, userId: string, signal: AbortSignal): Promise<string | null> {
    return this.current({ server, userId, signal }, null);
  }

  override renewed(server: string, userId: string, refused: string, signal: AbortSignal): Promise<string | null> {
    return this.current({ server, userId, signal }, refused);
  }

  /** The connection's token, refreshed at most once: before it expires, or because the server has refused it. */
  private async current(request: TokenRequest, refused: string | null): Promise<string | null> {
    let first: Connected | null = null;
    for (;;) {
      request.signal.throwIfAborted();
      const { connected } = await this.streams.load(toolConnection, toolConnectionStream(toolConnectionId(request.userId, request.server)));
      const grant = connected && (await this.vault.openJson<OAuthGrant>(connected.tokens as Sealed));
      // A token is never sent to a server other than the one that issued it.
      if (!connected || grant?.url !== this.servers.all.get(request.server)?.url) return null;
      first ??= connected;
      const isRenewed = connected.connectionId !== first.connectionId || connected.generation !== first.generation;
      const isUsable = grant!.access !== refused || isRenewed;
      const left = connected.expiresAt === null ? Number.POSITIVE_INFINITY : connected.expiresAt - this.clock.now();
      if (isUsable && (left > EARLY_MILLIS || isRenewed)) return grant!.access;
      if (grant!.refresh !== null) await this.refreshOnce(request, connected, grant!);
      else if (isUsable && left > 0) return grant!.access;
      else await this.lose(request, connected, null);
    }
  }

  /** Afterwards the stream has new tokens or no connection, or another process is refreshing them. Rejects when the server does not answer. */
  private async refreshOnce(request: TokenRequest, { connectionId, generation }: Connected, grant: OAuthGrant): Promise<void> {
    const refreshId = newId();
    const now = this.clock.now();
    const until = Instant.plus(now, LEASE_MILLIS);
    try {
      const begun = await this.execute(request, { type: 'BeginRefresh', refreshId, connectionId, generation, now, until });
      if (begun.connected?.refresh?.refreshId !== refreshId) return;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'refresh_in_progress') throw error;
      await wait(CHECK_MILLIS, undefined, { signal: request.signal });
      return;
    }
    // Does not use the caller's signal: an abort in the middle would lose the next refresh token.
    const client = await this.servers.client();
    let granted: Granted;
    try {
      granted = await client.refresh(this.withSecret(request.server, grant), AbortSignal.timeout(REFRESH_MILLIS));
    } catch (error) {
      if (isRefused(error)) {
        await this.lose(request, { connectionId, generation }, refreshId);
        return;
      }
      await this.execute(request, { type: 'AbandonRefresh', refreshId });
      throw error;
    }
    await this.store(request, connectionId, refreshId, granted);
  }

  private async store(request: TokenRequest, connectionId: string, refreshId: string, granted: Granted): Promise<void> {
    try {
      await this.vault.sealing(connectionSubject(connectionId, request.userId), (seal) => {
        const tokens = tokensOf(granted, seal.json(granted.grant), this.clock.now());
        return this.execute(request, { type: 'CompleteRefresh', refreshId, ...tokens });
      });
    } catch (error) {
      // The connection and its tokens were removed in the meantime.
      if (!(error instanceof Shredded)) throw error;
    }
  }

  private async lose(
    request: TokenRequest,
    { connectionId, generation }: Pick<Connected, 'connectionId' | 'generation'>,
    refreshId: string | null,
  ) {
    const { isLost } = await this.execute(request, { type: 'Lose', connectionId, generation, refreshId });
    if (isLost) await this.vault.shred(connectionSubject(connectionId, request.userId).id);
  }

  /** Uses the current secret of the configured client. */
  private withSecret(server: string, grant: OAuthGrant): OAuthGrant {
    const { client_id, client_secret } = this.servers.all.get(server)!;
    if (client_id === null || client_id !== grant.client.client_id) return grant;
    return { ...grant, client: { client_id, ...(client_secret !== null && { client_secret }) } };
  }

  private async execute({ server, userId }: TokenRequest, command: ToolConnectionCommand) {
    const { state } = await this.commands.execute(new ExecuteToolConnection(toolConnectionId(userId, server), command));
    return state;
  }
}
