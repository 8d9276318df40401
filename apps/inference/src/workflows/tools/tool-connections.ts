import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config, type McpServerConfig } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, Streams, userSubject } from '@parlance/foundation';
import { type KeyCompanion, type Sealed, Shredded, Vault } from '@parlance/privacy';
import type { Granted, OAuthGrant, PendingAuthorization } from '@parlance/tools/mcp';
import { McpServers } from '../../adapters/tools/mcp-servers.ts';
import { ExecuteToolConnection } from '../../commands/aggregates.ts';
import {
  stateInvalid,
  toolConnection,
  type ToolConnection,
  type ToolConnectionCommand,
  toolConnectionId,
  toolConnectionStream,
} from '../../domain/tool-connection.ts';
import { ToolConnectionsOf } from '../../projections/tool-connections.ts';

/** How long a user has to authorize the connection. */
const ATTEMPT_MILLIS = 10 * 60_000;
/** The time limit for all requests of one step. It is shorter than the time limit for the response to the user's request. */
const STEP_MILLIS = 20_000;
/** A longer wait for a revocation is not worthwhile. */
const REVOKE_MILLIS = 5_000;
const LONGEST_VALIDITY_SECONDS = 10 * 365 * 86_400;

export interface Callback {
  readonly code: string;
  readonly state: string;
  /** The issuer, if the authorization server sent it. */
  readonly iss: string | undefined;
}

/** The subject of the tokens of one connection. Its key is destroyed with the connection. */
export const connectionSubject = (connectionId: string, userId: string) => ({
  id: `tool-connection:${connectionId}`,
  within: `user:${userId}`,
});

/** Connects users with tool servers, and ends connections. */
@Injectable()
export class ToolConnections {
  private readonly redirectUri: string;

  constructor(
    private readonly servers: McpServers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.redirectUri = `${config.publicBaseUrl}/tool-connections/callback`;
  }

  /** Returns the URL where the user authorizes the connection. The redirect contains the state, which only this user can redeem, and only once. */
  async begin(server: string, userId: string, groups: readonly string[], returnTo: string) {
    const configured = this.connectable(server, groups);
    const state = stateFor(server, returnTo);
    const { redirectUri } = this;
    const beginning = { redirectUri, state, clientName: 'Parlance', clientUri: this.config.publicBaseUrl };
    const client = await this.servers.client();
    const begun = await client.begin(configured, beginning, AbortSignal.timeout(STEP_MILLIS)).catch((error: unknown) => {
      throw isRefused(error) ? serverRefused(error.reason) : serverUnavailable(error);
    });
    const expiresAt = Instant.plus(this.clock.now(), ATTEMPT_MILLIS);
    const attempt = await this.sealing(() => this.vault.sealJson(userSubject(userId), begun.pending));
    await this.execute(server, userId, { type: 'Begin', stateHash: hashOf(state), attempt, expiresAt });
    return { authorizeUrl: begun.authorizeUrl, validSeconds: ATTEMPT_MILLIS / 1_000 };
  }

  /** Exchanges the code for tokens. The state is redeemed first, because a code may be used only once. */
  async complete(server: string, userId: string, groups: readonly string[], { code, state, iss }: Callback): Promise<void> {
    this.connectable(server, groups);
    const now = this.clock.now();
    const stateHash = hashOf(state);
    const before = await this.execute(server, userId, { type: 'Redeem', stateHash, now });
    const pending = before.attempt && (await this.vault.openJson<PendingAuthorization>(before.attempt.attempt as Sealed));
    if (!pending) throw stateInvalid();
    const client = await this.servers.client();
    const granted = await client.exchange(pending, code, iss, AbortSignal.timeout(STEP_MILLIS)).catch((error: unknown) => {
      throw authorizationFailed(isRefused(error) ? error.reason : 'it did not answer');
    });
    // The key of an earlier connection is destroyed first: if this is interrupted, there is no connection instead of two.
    if (before.connected) await this.vault.shred(connectionSubject(before.connected.connectionId, userId).id);
    const connectionId = newId();
    await this.sealing(() =>
      this.vault.sealing(connectionSubject(connectionId, userId), (seal) => {
        const tokens = tokensOf(granted, seal.json(granted.grant), now);
        return this.execute(server, userId, { type: 'Connect', stateHash, connectionId, now, ...tokens }, seal.companions);
      }),
    );
  }

  /** A user's connections, and the servers without one. */
  async list(userId: string, groups: readonly string[]) {
    const rows = new Map((await this.queries.execute(new ToolConnectionsOf(userId))).map((row) => [row.server, row]));
    const offered = this.servers.withAccounts.filter((name) => this.servers.connectable(name, groups));
    const names = [...new Set([...offered, ...rows.keys()])].toSorted();
    return names.map((server) => ({ server, row: rows.get(server) ?? null }));
  }

  /** Revokes the tokens at the authorization server, and destroys their key. Works for a server that is no longer configured, too. */
  async disconnect(server: string, userId: string, groups: readonly string[]): Promise<void> {
    const state = await this.stateOf(server, userId);
    const isKnown = state.attempt !== null || state.connected !== null || state.isLost;
    if (!isKnown) this.connectable(server, groups);
    if (state.connected) {
      await this.revoke(state.connected.tokens);
      // The key comes first: if this is interrupted, the connection has no tokens, and can be ended again.
      await this.vault.shred(connectionSubject(state.connected.connectionId, userId).id);
    }
    await this.execute(server, userId, { type: 'Disconnect' });
  }

  /**
   * Ends all connections of an erased user, including unfinished ones. Their tokens can no longer be opened, so they are not revoked at the
   * authorization servers.
   */
  async erase(userId: string): Promise<void> {
    const rows = await this.queries.execute(new ToolConnectionsOf(userId));
    for (const server of new Set([...this.servers.withAccounts, ...rows.map((row) => row.server)])) {
      const { connected } = await this.stateOf(server, userId);
      if (connected) await this.vault.shred(connectionSubject(connected.connectionId, userId).id);
      await this.execute(server, userId, { type: 'Erase' });
    }
  }

  private connectable(server: string, groups: readonly string[]): McpServerConfig {
    const configured = this.servers.connectable(server, groups);
    if (configured) return configured;
    throw refuse('missing', 'tool_server_not_found', 'There is no such server to connect to, or your groups may not use it.');
  }

  private stateOf(server: string, userId: string): Promise<ToolConnection> {
    return this.streams.load(toolConnection, toolConnectionStream(toolConnectionId(userId, server)));
  }

  private async execute(server: string, userId: string, command: ToolConnectionCommand, companions: readonly KeyCompanion[] = []) {
    const { state } = await this.commands.execute(new ExecuteToolConnection(toolConnectionId(userId, server), command, { companions }));
    return state;
  }

  /** The connection ends in any case, so an error of the authorization server does not fail the request. */
  private async revoke(sealed: string): Promise<void> {
    const grant = await this.vault.openJson<OAuthGrant>(sealed as Sealed);
    const client = await this.servers.client();
    if (grant) await client.revoke(grant, AbortSignal.timeout(REVOKE_MILLIS)).catch(() => {});
  }

  private async sealing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Shredded ? refuse('missing', 'user_not_found', 'This user was erased.') : error;
    }
  }
}

/** The tokens as events store them. */
export function tokensOf({ grant, expiresIn }: Granted, tokens: string, now: Instant) {
  const seconds = expiresIn === null ? null : Math.min(Math.max(expiresIn, 0), LONGEST_VALIDITY_SECONDS);
  return { tokens, expiresAt: seconds === null ? null : Instant.plus(now, Math.floor(seconds * 1_000)), scopes: grant.scopes };
}

/** Compares the name, because importing the class would load the MCP client. */
export const isRefused = (error: unknown): error is Error & { readonly reason: string } =>
  error instanceof Error && error.name === 'OAuthRefused';

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url');

/** The state contains the server and the return address, because the callback receives nothing else. The callback must trust neither. */
function stateFor(server: string, returnTo: string): string {
  return [server, randomBytes(32).toString('base64url'), Buffer.from(returnTo).toString('base64url')].join('.');
}

/** The return address in a state. Null if the text is not a state. */
export function returnToOf(state: string): string | null {
  const [, , returnTo] = state.split('.');
  return returnTo ? Buffer.from(returnTo, 'base64url').toString() : null;
}

const serverRefused = (reason: string) =>
  refuse('conflict', 'tool_server_refused', `The authorization server does not allow the connection: ${reason}. Ask an administrator.`);
const serverUnavailable = (cause: unknown) =>
  Object.assign(
    refuse('unavailable', 'tool_server_unavailable', 'The server or its authorization server returned no valid answer. Try again later.'),
    { cause },
  );
const authorizationFailed = (reason: string) =>
  refuse('conflict', 'tool_authorization_failed', `The authorization server issued no tokens: ${reason}. Begin the connection again.`);
