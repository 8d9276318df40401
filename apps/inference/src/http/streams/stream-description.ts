export const STREAM_DESCRIPTION = [
  'Server-sent events, each with an ID. The field names are in snake_case whatever case was asked for.',
  '`start` {conversation_id, message_id}: the reply begins; drop what was received of it before.',
  '`reasoning` {text} and `delta` {text}: what the model has reasoned and written since the event before.',
  '`citation`: a chunk of knowledge that the text refers to, with the fields of used_chunks.',
  '`done` {message_id, stop_reason, usage {input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, estimated}, cost}: the reply is stored; cost is in US dollars.',
  '`error` {code, message}: the reply has failed.',
  'A stream that ends without `done` or `error` is resumed with `GET /conversation/{conversationId}/{messageId}/stream` and the header `Last-Event-ID`.',
].join(' ');
