import { refuse } from '@parlance/decider';
import { MAX_CHAIN_BYTES, MAX_CHAIN_RESPONSES, MAX_RESPONSE_BYTES } from './response-limits.ts';

const MIB = 1024 * 1024;

/** The same answer for a response that never existed, that was deleted, or that belongs to another user. */
export const responseNotFound = () =>
  refuse('missing', 'response_not_found', 'There is no such stored response. Only responses with "store": true are stored.');

export const previousResponseNotFound = () =>
  refuse(
    'missing',
    'previous_response_not_found',
    'The previous response, or one that it continues, is not stored. Send the earlier items in input instead.',
    { errors: [{ path: 'previous_response_id', message: 'is not the ID of a stored response' }] },
  );

export const chainTooLong = () =>
  refuse(
    'invalid',
    'response_chain_too_long',
    `A response continues at most ${MAX_CHAIN_RESPONSES} responses of ${MAX_CHAIN_BYTES / MIB} MiB together. Begin again without previous_response_id.`,
    { errors: [{ path: 'previous_response_id', message: 'is the ID of a response that cannot be continued' }] },
  );

export const responseTooLarge = () =>
  refuse(
    'too_large',
    'response_too_large',
    `A stored response has at most ${MAX_RESPONSE_BYTES / MIB} MiB with its input. Send a shorter input, or leave store out.`,
  );
