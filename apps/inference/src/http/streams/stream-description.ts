export const STREAM_DESCRIPTION = [
  'Server-sent events, each with an ID. The field names are in snake_case whatever case was asked for.',
  '`start` {conversation_id, message_id}: the reply begins; drop what was received of it before.',
  '`reasoning` {text} and `delta` {text}: what the model has reasoned and written since the event before.',
  '`tool` {call_id, name, input, status, result}: a call of a tool, `running` without a result, then `succeeded`, `failed` or `denied`.',
  '`approval` {call_id, name, input, expires_at}: the user has to decide about this call of a tool. The stream ends behind it when nothing else goes on. Decide with `POST /conversation/{conversationId}/{messageId}/tool-calls/{callId}`, then resume the stream.',
  '`citation`: a chunk of knowledge that the text refers to, with the fields of used_chunks.',
  '`done` {message_id, stop_reason, usage {input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, estimated}, cost, guardrail}: the reply is stored; usage and cost are of all its model calls; cost is in US dollars. `guardrail` is there if the guardrail of the bot has replaced the answer (`blocked`) or parts of it (`masked`).',
  '`error` {code, message}: the reply has failed.',
  'A stream that ends without `done` or `error` is resumed with `GET /conversation/{conversationId}/{messageId}/stream` and the header `Last-Event-ID`.',
].join(' ');
