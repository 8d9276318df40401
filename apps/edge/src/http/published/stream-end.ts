import type { ServerResponse } from 'node:http';
import { openAiError, problemOf } from '@parlance/http';
import { endWith } from '../../adapters/forwarding/stream-farewell.ts';
import type { RpcId } from './mcp-message.ts';
import { isMcp, isOpenAiStyle } from './published-address.ts';

/** A code of JSON-RPC for errors of servers that MCP has given no meaning. */
const RPC_ACCESS_ENDED = -32_003;

export interface EndedRequest {
  /** The path below the stage. */
  readonly below: string;
  /** The ID of a request of MCP. */
  readonly rpcId: RpcId;
}

/**
 * Ends a stream whose rights have ended. SDKs of OpenAI and clients of MCP do not resume streams, so theirs ends with the error as an event. Other
 * clients resume a stream that breaks off, and are refused then.
 */
export function endStream(res: ServerResponse, { below, rpcId }: EndedRequest, error: unknown): void {
  const event = isOpenAiStyle(below) ? openAiEventOf(error) : isMcp(below) ? mcpEventOf(rpcId, error) : null;
  endWith(res, event);
}

/**
 * The error of both streams, in the form in which the SDKs recognise it. The event's number belongs to the stream of responses, whose events
 * are not counted here.
 */
export function openAiEventOf(error: unknown): string {
  const { error: its } = openAiError(problemOf(error).body);
  return `event: error\ndata: ${JSON.stringify({ ...its, type: 'error', sequence_number: 0, error: its })}`;
}

/** The answer to the request, because a client of MCP waits for one. */
function mcpEventOf(id: RpcId, error: unknown): string {
  const { code, detail: message } = problemOf(error).body;
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: RPC_ACCESS_ENDED, message, data: { code } } })}`;
}
