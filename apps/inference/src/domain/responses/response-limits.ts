/** Bytes of one stored response: its own input and its answer, as JSON. Sealed, it still fits into the largest commit of the event store. */
export const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Responses that a response may continue, one after another. */
export const MAX_CHAIN_RESPONSES = 100;
/** Bytes of all responses that a response continues. The request that a model gets has them all. */
export const MAX_CHAIN_BYTES = 8 * 1024 * 1024;
