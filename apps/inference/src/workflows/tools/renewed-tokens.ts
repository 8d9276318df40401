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

/** A token is renewed this long before its end. */
const EARLY_MILLIS = 60_000;
/** How long the authorization server has for new tokens … */
const REFRESH_MILLIS = 10_000;
/** … and how long no other process asks it. It is longer, so that a refresh token is never sent twice. */
const LEASE_MILLIS = 30_000;
/** Between two looks at tokens that another process renews. */
const LOOK_MILLIS = 50;

interface Place {
  readonly server: string;
  readonly userId: string;
  readonly signal: AbortSignal;
}

/**
 * The tokens of users, renewed when they end. A refresh token may be used once: which process uses it is decided on the stream of the
 * connection, and the others wait for its events.
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

  /** The token of the connection, renewed at most once: before its end, or because the server has refused it. */
  private async current(place: Place, refused: string | null): Promise<string | null> {
    let first: Connected | null = null;
    for (;;) {
      place.signal.throwIfAborted();
      const { connected } = await this.streams.load(toolConnection, toolConnectionStream(toolConnectionId(place.userId, place.server)));
      const grant = connected && (await this.vault.openJson<OAuthGrant>(connected.tokens as Sealed));
      // A token is never sent to another server than the one for which it was given.
      if (!connected || grant?.url !== this.servers.all.get(place.server)?.url) return null;
      first ??= connected;
      const isRenewed = connected.connectionId !== first.connectionId || connected.generation !== first.generation;
      const isUsable = grant!.access !== refused || isRenewed;
      const left = connected.expiresAt === null ? Number.POSITIVE_INFINITY : connected.expiresAt - this.clock.now();
      if (isUsable && (left > EARLY_MILLIS || isRenewed)) return grant!.access;
      if (grant!.refresh !== null) await this.refreshOnce(place, connected, grant!);
      else if (isUsable && left > 0) return grant!.access;
      else await this.lose(place, connected, null);
    }
  }

  /** Afterwards the stream has new tokens or no connection, or another process is renewing them. Rejects when the server does not answer. */
  private async refreshOnce(place: Place, { connectionId, generation }: Connected, grant: OAuthGrant): Promise<void> {
    const refreshId = newId();
    const now = this.clock.now();
    const until = Instant.plus(now, LEASE_MILLIS);
    try {
      const begun = await this.execute(place, { type: 'BeginRefresh', refreshId, connectionId, generation, now, until });
      if (begun.connected?.refresh?.refreshId !== refreshId) return;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'refresh_in_progress') throw error;
      await wait(LOOK_MILLIS, undefined, { signal: place.signal });
      return;
    }
    // Not the signal of the caller: an abort in the middle would lose the next refresh token.
    const client = await this.servers.client();
    let granted: Granted;
    try {
      granted = await client.refresh(this.withSecret(place.server, grant), AbortSignal.timeout(REFRESH_MILLIS));
    } catch (error) {
      if (isRefused(error)) {
        await this.lose(place, { connectionId, generation }, refreshId);
        return;
      }
      await this.execute(place, { type: 'AbandonRefresh', refreshId });
      throw error;
    }
    await this.store(place, connectionId, refreshId, granted);
  }

  private async store(place: Place, connectionId: string, refreshId: string, granted: Granted): Promise<void> {
    try {
      await this.vault.sealing(connectionSubject(connectionId, place.userId), (seal) => {
        const tokens = tokensOf(granted, seal.json(granted.grant), this.clock.now());
        return this.execute(place, { type: 'CompleteRefresh', refreshId, ...tokens });
      });
    } catch (error) {
      // The connection has ended in the meantime, and its tokens with it.
      if (!(error instanceof Shredded)) throw error;
    }
  }

  private async lose(place: Place, { connectionId, generation }: Pick<Connected, 'connectionId' | 'generation'>, refreshId: string | null) {
    const { isLost } = await this.execute(place, { type: 'Lose', connectionId, generation, refreshId });
    if (isLost) await this.vault.shred(connectionSubject(connectionId, place.userId).id);
  }

  /** With the secret that the configured client has now. */
  private withSecret(server: string, grant: OAuthGrant): OAuthGrant {
    const { client_id, client_secret } = this.servers.all.get(server)!;
    if (client_id === null || client_id !== grant.client.client_id) return grant;
    return { ...grant, client: { client_id, ...(client_secret !== null && { client_secret }) } };
  }

  private async execute({ server, userId }: Place, command: ToolConnectionCommand) {
    const { state } = await this.commands.execute(new ExecuteToolConnection(toolConnectionId(userId, server), command));
    return state;
  }
}
