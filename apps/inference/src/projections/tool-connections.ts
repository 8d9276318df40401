import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import { partsOfToolConnectionId, type ToolConnectionEvent } from '../domain/tool-connection.ts';

/** A tool server to which a user has connected an account. The tokens are only in the log. */
export interface ToolConnectionRow {
  readonly user_id: string;
  readonly server: string;
  /** `lost`: the authorization server no longer accepts the tokens. */
  readonly status: 'connected' | 'lost';
  readonly connected_at: Instant;
  readonly scopes: readonly string[];
}

/** The number of a user's erased connections. */
interface ErasedConnectionsRow {
  readonly connections: number;
}

const toolConnectionRows = table<ToolConnectionRow>('tool_connections', { byUser: ['user_id', 'server'] });
const erasedConnectionRows = table<ErasedConnectionsRow>('erased_tool_connections');

export const toolConnections = projection<ToolConnectionEvent>({
  name: 'tool-connections',
  version: 1,
  tables: [toolConnectionRows, erasedConnectionRows],
  on: {
    ToolConnected: ({ at, scopes }, { stream }) => {
      const { userId: user_id, server } = partsOfToolConnectionId(idInStream(stream));
      return [put(toolConnectionRows, idInStream(stream), { user_id, server, status: 'connected', connected_at: at, scopes })];
    },
    ToolConnectionLost: (_, { stream }) => [patch(toolConnectionRows, idInStream(stream), { status: 'lost' })],
    ToolDisconnected: (_, { stream }) => [remove(toolConnectionRows, idInStream(stream))],
    ToolConnectionErased: ({ wasConnected }, { stream }) => [
      remove(toolConnectionRows, idInStream(stream)),
      ...(wasConnected ? [add(erasedConnectionRows, partsOfToolConnectionId(idInStream(stream)).userId, { connections: 1 }, {})] : []),
    ],
  },
});

/** More servers than an administrator configures. */
const MOST_CONNECTIONS = 1_000;

export const ToolConnectionsOf = query('ToolConnectionsOf', async (models, userId: string): Promise<readonly ToolConnectionRow[]> => {
  const { rows } = await models.find(toolConnectionRows, { index: 'byUser', where: { user_id: userId }, limit: MOST_CONNECTIONS });
  return rows;
});

export const ErasedToolConnectionsOf = query('ErasedToolConnectionsOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedConnectionRows, userId))?.connections ?? 0;
});
