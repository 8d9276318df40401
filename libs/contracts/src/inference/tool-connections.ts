import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';

const onToolServer = actionOn('tool_server');

const toolServer = id.describe('Name of the tool server.');

export const ToolConnected = publicEvent(
  'parlance.inference.tool-connected.v1',
  'Published when a user connects an account at a tool server, also if it replaces an earlier one.',
  z.strictObject({ user_id: userId, server: toolServer }),
  ({ user_id, server }) => onToolServer('connect_tool_server', server, { user_id }),
);
export type ToolConnected = DataOf<typeof ToolConnected>;

export const ToolDisconnected = publicEvent(
  'parlance.inference.tool-disconnected.v1',
  "Published when a user's connection with a tool server ends. It ends without this event when the user is erased.",
  z.strictObject({
    user_id: userId,
    server: toolServer,
    reason: z.enum(['user', 'refused']).describe('`user`: the user ended it. `refused`: the authorization server no longer accepts it.'),
  }),
  ({ server, ...ended }) => onToolServer('disconnect_tool_server', server, ended),
);
export type ToolDisconnected = DataOf<typeof ToolDisconnected>;
