import type { WireDialect } from '@parlance/chat-models';

/** The format of a call's request and answer. A dialect may have several. */
export type CallFormat = WireDialect | 'responses';
