export const STREAM_DESCRIPTION = [
  'Server-sent events, each with an ID. Field names are always in snake_case, whatever case was requested.',
  '`start` {conversation_id, message_id}: the reply begins. It comes once.',
  '`restarted` {message_id}: the process that wrote the reply was lost. Discard everything received of the reply: it follows again from its beginning.',
  '`reasoning` {text} and `delta` {text}: what the model has reasoned and written since the previous event.',
  '`tool` {call_id, name, input, status, result}: a tool call, first `running` without a result, then `succeeded`, `failed` or `denied`.',
  '`approval` {call_id, name, input, expires_at}: the user has to decide about this tool call. The stream ends after it if nothing else is running. Decide with `POST /conversation/{conversationId}/{messageId}/tool-calls/{callId}`, then resume the stream.',
  '`citation`: a chunk of knowledge that the text refers to, with the fields of used_chunks.',
  '`done` {message_id, stop_reason, usage {input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, estimated}, cost, guardrail}: the reply is stored. Usage and cost include all its model calls. The cost is in US dollars. `guardrail` is set if the guardrail of the bot or a policy of the installation withheld the answer or the rest of it (`blocked`), or replaced parts of it (`masked`).',
  '`error` {code, message}: the reply failed.',
  'Resume a stream that ends without `done` or `error` with `GET /conversation/{conversationId}/{messageId}/stream` and the header `Last-Event-ID`.',
].join(' ');
