import type { WireDialect } from '@parlance/chat-models';

/** The formats of calls that chat. */
export type ChatFormat = WireDialect | 'responses';
/** The format of a call's request and answer. A dialect may have several. */
export type CallFormat = ChatFormat | 'rerank' | 'moderation' | 'images' | 'speech' | 'transcription';
